import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Access } from './access.ts'
import { ask, type Request } from './ask.ts'
import { Failure } from './failures.ts'

/** Starts a server that answers so, one answer after the other, and returns how it is reached and what was asked. */
async function answering(
  ...answers: RequestListener[]
): Promise<{ access: Access; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, reply) => {
    asked.push(request)
    ;(answers[asked.length - 1] ?? answers.at(-1))?.(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { access: { origin: `http://127.0.0.1:${port}`, token: 'hdp_secret', agent: 'test' }, asked }
}

const later =
  (status: number, after: string): RequestListener =>
  (_request, reply) =>
    reply
      .writeHead(status, { 'retry-after': after })
      .end(JSON.stringify({ status, errors: [{ code: 'too_many_requests', message: 'Too\u001b[2J often' }] }))
const fine: RequestListener = (_request, reply) => reply.writeHead(200).end('{"items":[]}')

const get: Request = { method: 'GET', path: '/api/hosts/' }
const post: Request = { method: 'POST', path: '/api/tickets/', body: {} }

/** Asks with so much patience. Returns the failure, or undefined. */
const failureOf = (access: Access, request: Request, wait_s: number): Promise<unknown> =>
  ask(access, request, { wait_s, say: () => {} }).then(
    () => undefined,
    (error: unknown) => error,
  )

it('waits as long as the server asks, and says so', async () => {
  const { access, asked } = await answering(later(429, '1'), fine)
  const said: string[] = []
  const began = performance.now()
  const response = await ask(access, post, { wait_s: 60, say: (line) => said.push(line) })
  expect(response.status).toBe(200)
  expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  expect(asked).toHaveLength(2)
  expect(said).toEqual(['The server asks to wait 1 s (429).'])
})

it('waits no longer than it may, and tells when to come again', async () => {
  const { access, asked } = await answering(later(429, '90'))
  expect(await failureOf(access, get, 60)).toMatchObject({
    code: 75,
    message: '429 too_many_requests: Too[2J often\nAsk again after 90 s, or let this command wait: --wait 90',
  })
  expect(asked).toHaveLength(1)
})

it('repeats nothing that may have happened already, unless the server knows it by its key', async () => {
  const one = await answering(later(503, '1'), fine)
  expect(await failureOf(one.access, post, 60)).toMatchObject({ code: 75 })
  expect(one.asked).toHaveLength(1)
  const other = await answering(later(503, '1'), fine)
  expect(await failureOf(other.access, { ...post, key: 'same' }, 60)).toBeUndefined()
  expect(other.asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['same', 'same'])
})

it('takes its token to no other address', async () => {
  const elsewhere = await answering(fine)
  const { access } = await answering((_request, reply) =>
    reply.writeHead(307, { location: elsewhere.access.origin }).end(),
  )
  expect(await failureOf(access, get, 60)).toBeInstanceOf(Failure)
  expect(elsewhere.asked).toEqual([])
})

it('tells a proxy without a product behind it from a refusal', async () => {
  const { access } = await answering((_request, reply) => reply.writeHead(502).end('<h1>Bad gateway</h1>'))
  expect(await failureOf(access, get, 60)).toMatchObject({ code: 75, message: '502 Bad Gateway' })
})
