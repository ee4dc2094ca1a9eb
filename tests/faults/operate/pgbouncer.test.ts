import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anna, olivia } from '#app/seed/people.ts'
import { must } from '#foundation/must.ts'
import { startEmbedded, type Embedded } from '#foundation/server/database/embedded.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { failToStart, startProduct } from '#tests/start/product.ts'

// The tests use the PgBouncer of this machine, and further versions that PGBOUNCERS names: PGBOUNCERS=/path/one:/path/other.
const binaries = [...(process.env['PGBOUNCERS']?.split(':') ?? []), '/usr/sbin/pgbouncer'].filter((file) =>
  existsSync(file),
)
const nobody = 65_534
const isAsked = process.env['OPERATE'] === '1'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-pgbouncer-'))
chmodSync(folder, 0o755)
let postgres!: Embedded
beforeAll(async () => {
  if (!isAsked) return
  postgres = await startEmbedded({ dataDir: path.join(folder, 'data') })
}, 120_000)
afterAll(async () => {
  if (isAsked) await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

it.runIf(isAsked)(
  'there is a PgBouncer to try (apt-get install pgbouncer), and a user for it',
  async () => {
    expect(binaries).not.toEqual([])
    // The first start makes the schema and the role of the application, whose rights the pooled user gets.
    const settings = { DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, 'files') }
    await (await startProduct({ settings })).end()
    const admin = new pg.Client({ connectionString: postgres.adminUrl.replace('/postgres?', '/hostdesk?') })
    await admin.connect()
    await admin.query(`
    create role hostdesk_pool login in role hostdesk_app;
    alter role hostdesk_pool set timezone = 'UTC';
    alter role hostdesk_pool set statement_timeout = '5s';
    alter role hostdesk_pool set lock_timeout = '2s';
    alter role hostdesk_pool set idle_in_transaction_session_timeout = '10s'`)
    await admin.end()
  },
  120_000,
)

describe.runIf(isAsked).each(binaries)('over %s', (binary) => {
  const version = isAsked
    ? /PgBouncer (\S+)/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[1]
    : ''
  let bouncer!: ChildProcess
  let port = 0
  beforeAll(async () => {
    port = await freePort()
    bouncer = await startBouncer(binary, port)
  })
  afterAll(() => void bouncer.kill())
  const urlOf = (database: string, user: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const settingsOf = (database: string, user: string) => ({
    DATABASE_URL: urlOf(database, user),
    DATABASE_LISTEN_URL: postgres.url,
    DATA_DIR: path.join(folder, 'files'),
  })

  it(`${version}: the product refuses to start with settings that a pooler cannot serve, and gives the reason in one line`, async () => {
    const start = async (settings: Record<string, string>) =>
      (await failToStart({ settings: { PORT: '0', DATA_DIR: path.join(folder, 'files'), ...settings } })).said
    expect(await start({ DATABASE_URL: urlOf('session', 'hostdesk') })).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_URL leads to a pooler.*Set DATABASE_LISTEN_URL/),
    ])
    expect(await start(settingsOf('transaction', 'hostdesk'))).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_URL leads over a pooler in transaction mode.*create role/),
    ])
    const pooled = urlOf('session', 'hostdesk')
    expect(await start({ DATABASE_URL: pooled, DATABASE_LISTEN_URL: pooled })).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_LISTEN_URL leads to a pooler, too/),
    ])
  })

  it.each([
    ['session', 'hostdesk'],
    ['transaction', 'hostdesk_pool'],
  ])(
    `${version}: in %s mode everything works, 20 at once`,
    async (mode, user) => {
      const product = await startProduct({
        settings: { ...settingsOf(mode, user), RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'info' },
      })
      const people = await Promise.all([anna, olivia].map((person) => signIn(product.url, person)))
      const [customer, staff] = people as [Browser, Browser]
      const stream = listenTo(product.url, staff)
      await stream.until('ready')
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, worker) => {
          const seen: number[] = []
          for (let turn = 0; turn < 15; turn += 1) {
            const name = `Anna ${worker}-${turn}`
            seen.push((await untilAnswered(() => customer.get('/api/users/detail/'))).status)
            seen.push((await untilAnswered(() => customer.patch('/api/users/update/', { name }))).status)
          }
          return seen
        }),
      )
      const failed = statuses.flat().filter((status) => status >= 400 && status !== 409)
      expect(failed, product.output().slice(-3000)).toEqual([])
      const opened = await customer.post('/api/tickets/', {
        subject: `Over ${mode}`,
        topic: 'technical',
        message: 'Hello',
        client_id: randomUUID(),
      })
      expect([opened.status, JSON.stringify(opened.body)]).toEqual([201, expect.any(String)])
      await stream.until('message.created')
      expect(product.output()).not.toMatch(/"level":"error"|prepared statement/)
      const code = await product.end()
      expect(code, product.output().slice(-2000)).toBe(0)
      stream.close()
    },
    120_000,
  )
})

async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<Browser> {
  const browser = new Browser(url)
  const reply = await browser.post('/api/allauth/app/v1/auth/login', { email, password })
  expect(reply.status).toBe(200)
  return browser
}

/** Opens the live stream of a signed-in person. `until` waits until a word was in the stream. */
function listenTo(url: string, browser: Browser): { until(word: string): Promise<void>; close(): void } {
  let text = ''
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${browser.access_token}` }
  void (async () => {
    const reply = await fetch(`${url}/api/events/`, { headers, signal: stop.signal })
    for await (const chunk of must(reply.body)) text += Buffer.from(chunk as Uint8Array).toString()
  })().catch(() => {})
  return {
    until: (word) => expect.poll(() => text, { timeout: 10_000 }).toContain(word),
    close: () => stop.abort(),
  }
}

async function startBouncer(binary: string, port: number): Promise<ChildProcess> {
  const host = decodeURIComponent(must(postgres.url.split('host=')[1]))
  const at = mkdtempSync(path.join(folder, 'bouncer-'))
  chmodSync(at, 0o755)
  writeFileSync(path.join(at, 'users.txt'), '"hostdesk" ""\n"hostdesk_pool" ""\n')
  const hasStatements = !/PgBouncer 1\.(?:1\d|20)\./.test(
    execFileSync(binary, ['--version'], { encoding: 'utf8' }),
  )
  const lines = [
    '[databases]',
    `session = host=${host} dbname=hostdesk pool_mode=session pool_size=40`,
    `transaction = host=${host} dbname=hostdesk pool_mode=transaction pool_size=10`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${at}/users.txt`,
    'max_client_conn = 500',
    ...(hasStatements ? ['max_prepared_statements = 500'] : []),
  ]
  writeFileSync(path.join(at, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
  chownSync(at, nobody, nobody)
  // PgBouncer does not run as root, so it runs as the user of PostgreSQL, who may open PostgreSQL's socket.
  const child = spawn(binary, [path.join(at, 'pgbouncer.ini')], {
    uid: nobody,
    gid: nobody,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('process up')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}`)))
  })
  return child
}
