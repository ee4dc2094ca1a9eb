import net from 'node:net'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { answerUnreadable, followAnswers } from './client-error-handler.ts'
import { limitBodyTime } from './slow-bodies.ts'

const server = fastify({ clientErrorHandler: answerUnreadable }) as unknown as FastifyInstance
followAnswers(server.server)
limitBodyTime(server, { most_ms: 1_500 })
const answer = { handler: async (request: { body: unknown }) => ({ got: request.body }) }
server.route({ method: 'POST', url: '/plain', ...answer })
server.route({ method: 'POST', url: '/file', config: { body_ms: 60_000 }, ...answer })
// Refuses before the body has come.
server.addHook('onRequest', async (request, reply) => {
  if (request.url === '/refused') await reply.status(401).send({})
})
await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

/** Sends the head and one byte, waits, and sends the rest. */
function slowly(path: string, pause_ms: number): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('close', () => resolve(text))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
    )
    setTimeout(() => socket.write('}'), pause_ms)
  })
}

it('rule 33: a body that takes too long is 408 and the line is cut', async () => {
  const text = await slowly('/plain', 4_000)
  expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{"status":408\}$/)
})

it('a body in time, and a slow one where the route takes files, get their answer', async () => {
  expect(await slowly('/plain', 50)).toContain('{"got":{}}')
  expect(await slowly('/file', 3_000)).toContain('{"got":{}}')
})

it('a request that was answered before its body was read gets no second answer for a body that is broken or slow', async () => {
  const send = (rest: string) =>
    new Promise<string>((resolve) => {
      let text = ''
      const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.on('close', () => resolve(text))
      socket.write(`POST /refused HTTP/1.1\r\nHost: x\r\n${rest}`)
    })
  const afterTheLast = 'Connection: close\r\n\r\nno HTTP'
  for (const rest of [
    'Transfer-Encoding: chunked\r\n\r\nno chunk',
    'Content-Length: 2\r\n\r\n{',
    afterTheLast,
  ])
    expect((await send(rest)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
})
