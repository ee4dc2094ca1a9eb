import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { judge as judgeBy, readRevocations } from '#agent/judge.mjs'
import { deleteHost } from '#features/hosts/contract.ts'
import { buildServer } from '#app/server/server.ts'
import { startAgent } from '#tests/harness/agent-process.ts'
import { judge, publishedKeys, tokenFor } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, getHost, giveLicence, patchHost } from '#tests/harness/hosts.ts'
import { nodes } from '#tests/harness/nodes.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()
const { app } = test

// A server that can be stopped and started again while its database goes on.
let server: FastifyInstance | undefined
async function startServer(): Promise<void> {
  server = await buildServer(app)
  await server.listen({ port: 0, host: '127.0.0.1' })
}
async function stopServer(): Promise<void> {
  server?.server.closeAllConnections()
  await server?.close()
  server = undefined
}

let asked: { path: string; etag: string | undefined }[] = []

// This relay between agent and server lets the agent keep one address, and tells it to check in every second, not as the server says.
const between = createServer((request, response) => {
  if (!server) return request.socket.destroy()
  asked.push({ path: request.url ?? '', etag: request.headers['if-none-match'] })
  const { port } = server.server.address() as AddressInfo
  const { method, url, headers } = request
  const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const body = Buffer.concat(chunks)
        .toString()
        .replace(/"interval_s":\d+/, '"interval_s":1')
      const { etag, 'content-type': type } = answer.headers
      const told = {
        ...(etag !== undefined && { etag }),
        ...(type !== undefined && { 'content-type': type }),
      }
      response.writeHead(answer.statusCode ?? 502, told).end(body)
    })
  })
  onward.on('error', () => request.socket.destroy())
  return request.pipe(onward)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => between.once('listening', resolve))
const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
afterAll(async () => {
  between.closeAllConnections()
  between.close()
  await stopServer()
})

it.each(nodes)(
  'H-01: an agent on $name connects, outlives a restart, takes up a new token, ends',
  async ({ command }) => {
    await startServer()
    const customer = await signedInCustomer(test)
    const { id } = await addHost(customer.api, { name: 'web-1', ipv4: `198.18.0.${command.length}` })
    await giveLicence(test, customer, id, 30 * 86_400_000)
    const host = async () => bodyOf(await getHost(customer.api, id), 200)
    const agent = startAgent(command, { url, token: await tokenFor(customer.api, id) })

    await agent.said(/licensed, plan /)
    expect(await host()).toMatchObject({
      connected: true,
      address_mismatch: true,
      agent: { version: '0.1.0' },
    })
    const file = path.join(agent.folder, 'licence.jws')
    // Software that does not run as root reads the file.
    expect(statSync(file).mode & 0o777).toBe(0o644)
    const kept = readFileSync(file, 'utf8')
    expect(await judge(test, kept, { ipv4: `198.18.0.${command.length}` })).toMatchObject({
      verdict: 'valid',
    })

    const list = path.join(agent.folder, 'revocations.jws')
    expect(readRevocations(readFileSync(list, 'utf8'), await publishedKeys(test)).revoked).toEqual([])
    expect(statSync(list).mode & 0o777).toBe(0o644)

    await stopServer()
    await agent.said(/not connected/)
    expect(readFileSync(file, 'utf8')).toBeTruthy()
    await startServer()
    await agent.said(/connected to/, 2)

    const renewed = await tokenFor(customer.api, id)
    await agent.said(/the token is not known/)
    const seen = (await host()).last_seen_at
    await sleep(1_000)
    expect((await host()).last_seen_at).toBe(seen)
    writeFileSync(agent.config, JSON.stringify({ url, token: renewed }))
    await agent.said(/connected to/, 3)
    expect(Date.parse(must((await host()).last_seen_at))).toBeGreaterThan(Date.parse(must(seen)))

    expect(await agent.stop('SIGTERM')).toBe(0)
    expect(agent.lines().at(-1)).toBe('hostdesk-agent: stopped')
    await stopServer()
  },
)

it('L-33 keeps files that all may read, and hears of a deletion though its token is void then', async () => {
  await startServer()
  const customer = await signedInCustomer(test)
  const { id, name } = await addHost(customer.api, { name: 'gone', ipv4: '198.18.33.1' })
  await giveLicence(test, customer, id, 30 * 86_400_000)
  const token = await tokenFor(customer.api, id)
  const state = mkdtempSync(path.join(tmpdir(), 'hostdesk-state-'))
  const [licence, list, keys] = ['licence.jws', 'revocations.jws', 'jwks.json'].map((file) =>
    path.join(state, 'kept', file),
  ) as [string, string, string]
  const start = () => startAgent(process.execPath, { url, token }, { HOSTDESK_STATE: path.dirname(licence) })
  const first = start()
  await first.said(/licensed, plan /)
  expect(statSync(path.dirname(licence)).mode & 0o777).toBe(0o755)
  for (const file of [licence, list, keys]) expect(statSync(file).mode & 0o777).toBe(0o644)
  expect(readFileSync(licence, 'utf8')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)

  // The answer to the next check-in has a higher list number, so the agent fetches the list at once, by its ETag.
  asked = []
  await patchHost(customer.api, id, { ipv4: '198.18.33.2' })
  const revoked = async () =>
    readRevocations(readFileSync(list, 'utf8'), await publishedKeys(test)).revoked.some(([sub]) => sub === id)
  await expect.poll(revoked, { timeout: 20_000 }).toBe(true)
  const lists = () => asked.filter((one) => one.path === '/.well-known/licence-revocations')
  expect(lists()[0]?.etag).toMatch(/^".+"$/)
  await first.stop()

  const kept = readFileSync(licence, 'utf8')
  const judgedNow = async () =>
    judgeBy(kept, { keys: await publishedKeys(test), revocations: readFileSync(list, 'utf8') }).verdict
  expect(await judgedNow()).toBe('valid')
  const published = async () => (await fetch(`${url}/.well-known/licence-revocations`)).text()
  const before = await published()
  await customer.api.call(deleteHost, { params: { hostId: id }, query: { name } })
  // A process answers with the same list for 2 s; an agent that begins within them asks again after 15 minutes.
  await expect.poll(published, { timeout: 20_000 }).not.toBe(before)
  asked = []
  const second = start()
  await second.said(/the token is not known/)
  await expect.poll(judgedNow, { timeout: 20_000 }).toBe('not_licensed')
  expect(readFileSync(licence, 'utf8')).toBe(kept)
  expect(lists().length).toBeLessThanOrEqual(2)
  await second.stop()
  rmSync(state, { recursive: true })
  await stopServer()
})
