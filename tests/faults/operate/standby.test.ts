import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { startProduct } from '#tests/start/product.ts'

// Debian's PostgreSQL: apt-get install postgresql. The one that comes along has no pg_basebackup.
const binaries = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? ''
const promotions = Number(process.env['PROMOTIONS'] ?? 10)
const nobody = { uid: 65_534, gid: 65_534 }
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-standby-'))
chmodSync(folder, 0o755)

type Server = { port: number; data: string; process: ChildProcess | undefined }
const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.map(kill))
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

it.runIf(process.env['OPERATE'] === '1')(
  `a primary that is killed under load ${promotions} times, and its standby promoted: no acknowledged write is lost`,
  async () => {
    expect(binaries, 'apt-get install postgresql').not.toBe('')
    let primary = await makePrimary()
    let standby = await makeStandby(primary)
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const DATABASE_URL = `postgres://hostdesk@${hosts}/hostdesk?target_session_attrs=read-write`
    const settings = {
      DATABASE_URL,
      DATA_DIR: path.join(folder, 'files'),
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
    }
    const product = await startProduct({ settings })
    const browser = new Browser(product.url)
    const { email, password } = anna
    expect((await browser.post('/api/allauth/app/v1/auth/login', { email, password })).status).toBe(200)
    const opened = await browser.post<{ id: string }>('/api/tickets/', {
      subject: 'Written during a failover',
      topic: 'technical',
      message: 'first',
      client_id: randomUUID(),
    })
    expect([opened.status, opened.body], JSON.stringify(opened.body)).toEqual([201, expect.anything()])
    const load = writeForEver(browser, opened.body.id)
    const backAfter_ms: number[] = []
    for (let turn = 0; turn < promotions; turn += 1) {
      const before = load.acknowledged.length
      await expect.poll(() => load.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 30)
      await kill(primary)
      const promoted = performance.now()
      run('pg_ctl', ['promote', '-D', standby.data, '-w'])
      const afterPromotion = load.acknowledged.length
      await expect
        .poll(() => load.acknowledged.length, { timeout: 30_000, interval: 20 })
        .toBeGreaterThan(afterPromotion)
      backAfter_ms.push(Math.round(performance.now() - promoted))
      const left = primary
      primary = standby
      standby = await makeStandby(primary, left)
    }
    await load.stop()
    const kept = await keptMessages(primary)
    const lost = load.acknowledged.filter((text) => !kept.has(text))
    process.stdout.write(
      `${load.acknowledged.length} writes acknowledged, ${lost.length} lost, ${load.refused} refused meanwhile; back after ${backAfter_ms.join(', ')} ms\n`,
    )
    expect(lost).toEqual([])
    expect(Math.max(...backAfter_ms)).toBeLessThan(10_000)
    expect(await product.end()).toBe(0)
  },
  900_000,
)

/** Eight writers; each text that was answered with 201 is acknowledged. */
function writeForEver(browser: Browser, ticket: string) {
  const load = { acknowledged: [] as string[], refused: 0, stop: async () => {} }
  let over = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; !over; turn += 1) {
      const message = `writer ${writer}, turn ${turn}`
      const body = { text: message, client_id: randomUUID() }
      const reply = await browser.post(`/api/tickets/${ticket}/messages/`, body).catch(() => undefined)
      if (reply?.status === 201) load.acknowledged.push(message)
      else {
        load.refused += 1
        await sleep(50)
      }
    }
  })
  load.stop = async () => {
    over = true
    await Promise.all(writers)
  }
  return load
}

async function keptMessages({ port }: Server): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/hostdesk` })
  await client.connect()
  const { rows } = await client.query<{ row: string }>(
    'select row_to_json(m)::text as row from ticket_messages m',
  )
  await client.end()
  return new Set(rows.flatMap(({ row }) => /writer \d+, turn \d+/.exec(row)?.[0] ?? []))
}

const run = (name: string, given: string[]) =>
  execFileSync(path.join(binaries, name), given, {
    ...nobody,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  })

async function makePrimary(): Promise<Server> {
  const server = await newServer()
  run('initdb', ['-D', server.data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'])
  appendFileSync(
    path.join(server.data, 'postgresql.conf'),
    "\nwal_level = replica\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = '512MB'\n",
  )
  appendFileSync(path.join(server.data, 'pg_hba.conf'), '\nhost replication all 127.0.0.1/32 trust\n')
  await startServer(server)
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${server.port}/postgres` })
  await client.connect()
  await client.query('create role hostdesk login createrole')
  await client.query('create database hostdesk owner hostdesk')
  await client.end()
  return server
}

/** A copy of the primary that follows it; the primary waits for it with each commit from now on. */
async function makeStandby(primary: Server, instead?: Server): Promise<Server> {
  const server = instead ?? (await newServer())
  rmSync(server.data, { recursive: true, force: true })
  run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primary.port),
    '-U',
    'postgres',
    '-D',
    server.data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${primary.port}/postgres` })
  await client.connect()
  await startServer(server)
  const streaming = async () =>
    (await client.query("select from pg_stat_replication where state = 'streaming'")).rowCount
  await expect.poll(streaming, { timeout: 30_000 }).toBe(1)
  await client.query("alter system set synchronous_standby_names = '*'")
  await client.query('select pg_reload_conf()')
  const isSynchronous = async () =>
    (await client.query("select from pg_stat_replication where sync_state = 'sync'")).rowCount
  await expect.poll(isSynchronous, { timeout: 30_000 }).toBe(1)
  await client.end()
  return server
}

async function newServer(): Promise<Server> {
  const port = await freePort()
  const data = path.join(folder, `server-${port}`, 'data')
  mkdirSync(path.dirname(data), { recursive: true })
  chownSync(path.dirname(data), nobody.uid, nobody.gid)
  const server: Server = { port, data, process: undefined }
  servers.push(server)
  return server
}

/** In a group of its own, so that a kill takes all of its processes at once, as a power cut does. */
async function startServer(server: Server): Promise<void> {
  // The primary's demand on its commits came with the copy; a promoted standby has no standby of its own yet.
  rmSync(path.join(server.data, 'postgresql.auto.conf.tmp'), { force: true })
  server.process = spawn(path.join(binaries, 'postgres'), ['-D', server.data, '-p', String(server.port)], {
    ...nobody,
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  })
  const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const answers = async () => {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  await expect.poll(answers, { timeout: 30_000 }).toBe(true)
}

async function kill(server: Server): Promise<void> {
  const { process: child } = server
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await gone
  server.process = undefined
}
