import { once } from 'node:events'
import net from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import type { App } from '#foundation/server/app.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { errorResponse } from './error-response.ts'
import { HttpError } from './http-error.ts'

const { url, logged } = await startTestApp({ settings: { SLOW_STATEMENT_MS: '60000' } })

it('rule 44: a request that is broken off is no error with a stack', async () => {
  for (const [type, body] of [
    ['application/json', '{"email":'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    ],
  ] as const) {
    const { hostname, port } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    const head = `POST ${AUTH}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 900\r\n\r\n`
    socket.write(head + body, () => setImmediate(() => socket.destroy()))
    await once(socket, 'close')
    // This request is answered only after the server has seen the end of the first connection.
    await fetch(`${url}/readyz`)
  }
  expect(logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})

it.each([
  ['turned away under load', new HttpError(503, [{ code: 'unavailable' }], 2), []],
  ['no connection to be had', new Error('timeout exceeded when trying to connect'), ['warn']],
  ['a fault', new Error('broken'), ['error']],
])('rule 44: %s stands in the log as it should', (_, error, levels) => {
  const lines: { level: string; line: object }[] = []
  const keep = (level: string) => (line: object) => void lines.push({ level, line })
  const app = { log: { warn: keep('warn'), error: keep('error') } } as unknown as App
  const reply = { header: () => reply, code: () => reply }
  const request = { id: 'an-id', raw: { destroyed: false, complete: true } } as unknown as FastifyRequest
  errorResponse(app, request, reply as unknown as FastifyReply, error, 'product')
  expect(lines.map(({ level }) => level)).toEqual(levels)
  for (const { level, line } of lines) {
    expect(line).toMatchObject({ request_id: 'an-id' })
    expect('err' in line, 'only a fault brings its stack').toBe(level === 'error')
  }
})
