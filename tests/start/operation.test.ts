import { once } from 'node:events'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { anna, people } from '#app/seed/people.ts'
import { must } from '#foundation/must.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { openEvents, type OpenEvents } from '#tests/harness/events.ts'
import type { Product } from './launched.ts'
import { startProduct } from './product.ts'
import { seededFolder } from './temporary-folder.ts'

const login = '/api/allauth/app/v1/auth/login'

describe('rule 34: restarts and outages', () => {
  it('no request fails while the two of a pair are restarted one after the other', async () => {
    const dataDir = seededFolder()
    const settings = { LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '1000000' }
    const ports = [await freePort(), await freePort()]
    const start = (port: number) => startProduct({ dataDir, settings, port })
    const pair = [await start(must(ports[0])), await start(must(ports[1]))]
    const browser = new Browser(`http://127.0.0.1:${ports[0]}`)
    expect((await browser.post(login, { email: anna.email, password: anna.password })).status).toBe(200)
    const headers = { authorization: `Bearer ${browser.access_token}` }
    const clients = { running: true, failed: [] as string[], answered: 0, headers }
    const ready = new Set(ports)
    const work = Promise.all([
      watch(ports, clients, ready),
      ...[0, 1, 2, 3].map(() => askForEver(ports, clients, ready)),
    ])

    // The process that started PostgreSQL is restarted first, so that the other process must go on with this PostgreSQL.
    for (const index of [0, 1]) {
      // A browser opens connections ahead, over which it may never ask anything.
      const unused = connect(must(ports[index]), '127.0.0.1')
      await once(unused, 'connect')
      expect(await must(pair[index]).end('SIGTERM')).toBe(0)
      pair[index] = await start(must(ports[index]))
    }
    clients.running = false
    await work
    expect(clients.failed).toEqual([])
    expect(clients.answered).toBeGreaterThan(100)
    for (const product of pair) await product.end()
  })

  it('answers 503 with Retry-After while the database is gone, stays up, and is back within 5 s of its return', async () => {
    const dataDir = seededFolder()
    let postgres = await startEmbedded({ dataDir, fast: true })
    const product = await startProduct({ dataDir, settings: { DATABASE_URL: postgres.url } })
    const browser = new Browser(product.url)
    expect((await browser.post(login, { email: anna.email, password: anna.password })).status).toBe(200)
    await postgres.stop()

    const refused = await browser.get('/api/users/detail/')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await browser.get('/readyz')).toMatchObject({ status: 503, body: 'database unreachable' })
    expect((await browser.get('/healthz')).status).toBe(200)
    expect((await browser.get('/account/')).status).toBe(200)
    await sleep(2000)
    expect(product.child.exitCode).toBeNull()

    postgres = await startEmbedded({ dataDir, fast: true })
    const status = async () => (await browser.get('/api/users/detail/')).status
    await expect.poll(status, { timeout: 5000 }).toBe(200)
    expect(await product.end()).toBe(0)
    await postgres.stop()
  })

  it('serves and ends as ever while its log cannot be written, and counts the lost lines', async () => {
    const full = openSync('/dev/full', 'w')
    const product = await startProduct({ dataDir: seededFolder(), writeTo: full })
    closeSync(full)
    for (let call = 0; call < 50; call += 1) expect((await fetch(`${product.url}/account/`)).status).toBe(200)
    const dropped = async () =>
      Number(
        /^hostdesk_log_lines_dropped (\d+)/m.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1],
      )
    await expect.poll(dropped).toBeGreaterThan(50)
    expect(await product.end()).toBe(0)
  })

  it('one serves and another works, by ROLE', async () => {
    const dataDir = seededFolder()
    const web = await startProduct({ dataDir, settings: { ROLE: 'web' } })
    const worker = await startProduct({ dataDir, settings: { ROLE: 'worker' } })
    expect((await fetch(`${web.url}/account/`)).status).toBe(200)
    expect((await fetch(`${worker.url}/account/`)).status).toBe(404)
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
    await exhaust(web)
    // The memory that only the start needed, 50 to 75 MB, must be released; `npm run bench -- memory` has the exact limit.
    for (const { child } of [web, worker])
      await expect.poll(() => residentMB(must(child.pid)), { timeout: 30_000 }).toBeLessThan(200)
    expect(await worker.end()).toBe(0)
    expect(await web.end()).toBe(0)
  })
})

/**
 * Leaves a product few descriptors, and takes them by streams and idle connections: new streams are refused before the last ones go, and
 * everything else is answered.
 */
async function exhaust({ url, child, output }: Product): Promise<void> {
  const pid = must(child.pid)
  const tokens = await Promise.all(
    people.map(async ({ email, password }) => {
      const browser = new Browser(url)
      await browser.post(login, { email, password })
      return must(browser.access_token)
    }),
  )
  const limit = readdirSync(`/proc/${pid}/fd`).length + 40
  const before = execFileSync('prlimit', [
    '--pid',
    String(pid),
    '--nofile',
    '--output',
    'SOFT',
    '--noheadings',
  ])
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
  // The process counts its descriptors once a second, and knows of the new limit only then.
  await sleep(1100)
  const streams: OpenEvents[] = []
  const refusals: number[] = []
  for (const token of tokens.flatMap((each) => Array.from({ length: 8 }, () => each)))
    await openEvents(url, token).then(
      (stream) => streams.push(stream),
      (error: Error) => refusals.push(Number(/\d+$/.exec(error.message)?.[0])),
    )
  expect(streams.length).toBeGreaterThan(4)
  expect(new Set(refusals)).toEqual(new Set([503]))
  const port = Number(new URL(url).port)
  const idle = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (let call = 0; call < 20; call += 1) {
    for (const path of ['/readyz', '/account/'])
      expect((await fetch(url + path, { headers: { connection: 'close' } })).status).toBe(200)
  }
  // Lines of the log are written together, a tenth of a second later.
  await expect.poll(() => output().match(/out of file descriptors/g)?.length).toBe(1)
  for (const stream of streams) stream.close()
  for (const socket of idle) socket.destroy()
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${String(before).trim()}:`])
  await expect.poll(() => openEvents(url, must(tokens[0])).then((stream) => stream.close())).toBeUndefined()
}

type Clients = {
  running: boolean
  failed: string[]
  answered: number
  /** The headers of a signed-in person, so that each answer needs the database. */
  headers: Record<string, string>
}

/**
 * Sends requests for ever, as through a load balancer, which watches `/readyz` and tries the other process where nobody listens.
 * Records each request that was not answered with 200.
 */
async function askForEver(ports: number[], clients: Clients, ready: Set<number>): Promise<void> {
  for (let turn = 0; clients.running; turn++) {
    const outcomes: string[] = []
    for (const port of turn % 2 ? ports : ports.toReversed()) {
      if (!ready.has(port)) continue
      const outcome = await ask(port, '/api/users/detail/', clients.headers)
      outcomes.push(outcome)
      if (outcome !== 'refused') break
    }
    if (outcomes.at(-1) === '200') clients.answered++
    else clients.failed.push(outcomes.join(', ') || 'nobody ready')
    await sleep(5)
  }
}

/** Keeps the set of ready processes, as a load balancer does. */
async function watch(ports: number[], clients: Clients, ready: Set<number>): Promise<void> {
  while (clients.running) {
    for (const port of ports)
      if ((await ask(port, '/readyz')) === '200') ready.add(port)
      else ready.delete(port)
    await sleep(25)
  }
}

async function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<string> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    await response.text()
    return String(response.status)
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    return cause?.code === 'ECONNREFUSED' ? 'refused' : String(cause?.code ?? cause?.message ?? error)
  }
}

const residentMB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
