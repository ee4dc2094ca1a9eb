import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anna, olivia } from '#app/seed/people.ts'
import { routes } from '#app/server/features.ts'
import { examineReplica } from '#app/cli/examine-replica.ts'
import { MESSAGE_CREATED } from '#features/support/tickets/contract.ts'
import { loadConfig } from '#app/server/config.ts'
import { must } from '#foundation/must.ts'
import { READ_AFTER } from '#foundation/read-after.ts'
import { createDb, createPool } from '#foundation/server/database/pool.ts'
import { openReplica } from '#foundation/server/database/replica.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { openEvents } from '#tests/harness/events.ts'
import { launchProduct, type Product } from '#tests/start/launched.ts'
import { binaries, folder, kill, makePrimary, makeStandby, type Server } from './streaming.ts'

type Tickets = { items: { id: string; subject: string }[] }

describe.runIf(process.env['OPERATE'] === '1')('lists from a streaming standby', () => {
  let primary: Server
  let standby: Server
  let one: Product | undefined
  let other: Product | undefined
  let settings: Record<string, string>
  let admin: pg.Client | undefined
  const [customer, staff] = [new Browser(''), new Browser('')]

  beforeAll(async () => {
    expect(binaries, 'apt-get install postgresql').not.toBe('')
    primary = await makePrimary()
    standby = await makeStandby(primary)
    const urlOf = ({ port }: Server) => `postgres://hostdesk@127.0.0.1:${port}/hostdesk`
    settings = {
      DATABASE_URL: urlOf(primary),
      DATABASE_READ_URL: urlOf(standby),
      DATA_DIR: path.join(folder, 'files'),
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
    }
    one = await launchProduct({ settings })
    other = await launchProduct({ settings: { ...settings, ROLE: 'web' } })
    for (const [browser, { email, password }] of [
      [customer, anna],
      [staff, olivia],
    ] as const) {
      Object.assign(browser, { url: one.url })
      expect((await browser.post('/api/allauth/app/v1/auth/login', { email, password })).status).toBe(200)
    }
    admin = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${standby.port}/hostdesk` })
    admin.on('error', () => {})
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end().catch(() => {})
    await Promise.all([one?.end(), other?.end()])
  })

  const after = (position: string) => ({ headers: { [READ_AFTER]: position } })
  const hold = () => must(admin).query('select pg_wal_replay_pause()')
  const letGo = () => must(admin).query('select pg_wal_replay_resume()')

  /** Returns the subjects of the tickets that the other process lists, at which `browser` did not write. */
  async function subjects(browser: Browser, position?: string, list = '/api/tickets/'): Promise<string[]> {
    const there = Object.assign(browser.copy(), { url: must(other).url })
    const { status, body } = await there.get<Tickets>(list, position === undefined ? {} : after(position))
    expect(status).toBe(200)
    return body.items.map(({ subject }) => subject)
  }

  async function write(subject: string): Promise<string | null> {
    const reply = await customer.post(
      '/api/tickets/',
      { subject, topic: 'technical', message: 'Hello', client_id: randomUUID() },
      after('0/0'),
    )
    expect(reply.status).toBe(201)
    return reply.headers.get(READ_AFTER)
  }

  async function figure(name: string): Promise<number | undefined> {
    const text = await (await fetch(`${must(other).url}/metrics`)).text()
    const line = text.split('\n').find((found) => found.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }
  const answeredBy = (who: string) => figure(`hostdesk_replica_reads_total{answered_by="${who}"}`)
  const usable = (expected: number) =>
    expect.poll(() => figure('hostdesk_replica_usable'), { timeout: 20_000 }).toBe(expected)

  it('answers each list, search and report that may come from there', async () => {
    await usable(1)
    const { body } = await customer.get<{ items: { id: string }[] }>('/api/hosts/')
    const me = await customer.get<{ id: string }>('/api/users/detail/')
    const marked = routes.map(({ contract }) => contract).filter(({ fromReplica }) => fromReplica)
    expect(marked.length).toBeGreaterThan(8)
    for (const [index, { path: address, access }] of marked.entries()) {
      const browser = Object.assign((access.who === 'staff' ? staff : customer).copy(), {
        url: must(other).url,
      })
      const real = address.replace('{hostId}', must(body.items[0]).id).replace('{userId}', me.body.id)
      const query = real.endsWith('/metrics/')
        ? '?hours=24'
        : /\/vat[./]/.test(real)
          ? '?quarter=2026-Q1'
          : ''
      const reply = await browser.get(real + query, after('0/0'))
      expect([real, reply.status, await answeredBy('replica')]).toEqual([real, 200, index + 1])
    }
    expect(await answeredBy('primary')).toBeUndefined()
  })

  it('as the role with few rights, under the same limits, and never with a write', async () => {
    const pool = { max: 1, acquire_timeout_ms: 3000 }
    const db = createDb(
      createPool({ ...pool, url: must(settings['DATABASE_URL']) }),
      must(settings['DATABASE_URL']),
    )
    const replica = openReplica(db, {
      ...pool,
      url: must(settings['DATABASE_READ_URL']),
      role: 'hostdesk_app',
      tell: () => {},
    })
    await expect.poll(() => replica.readableFrom(0n)).toBeDefined()
    const reading = must(replica.readableFrom(0n))
    const { rows } = await sql`
      select current_user as name, current_setting('statement_timeout') as longest,
        current_setting('lock_timeout') as lock, pg_is_in_recovery() as standby`.execute(reading)
    expect(rows).toEqual([{ name: 'hostdesk_app', longest: '5s', lock: '2s', standby: true }])
    await expect(sql`select * from jobs`.execute(reading)).rejects.toThrow('permission denied')
    await expect(sql`update profiles set name = 'x'`.execute(reading)).rejects.toThrow(
      'read-only transaction',
    )
    await replica.close()
    await db.destroy()
  })

  it('shows people what they wrote, at another process too, while the standby is behind', async () => {
    await hold()
    const written = must((await write('Read your writes')) ?? undefined)
    // The standby answers a reader who asks for no newer position (0/0), with the state before.
    expect(await subjects(customer, '0/0')).not.toContain('Read your writes')
    expect(await subjects(customer, written)).toContain('Read your writes')
    expect(await subjects(customer)).toContain('Read your writes')
    const before = must(await answeredBy('replica'))
    await letGo()
    await expect
      .poll(async () => {
        expect(await subjects(customer, written)).toContain('Read your writes')
        return answeredBy('replica')
      })
      .toBeGreaterThan(before)
  })

  it('shows those whom an event tells of it no older state', async () => {
    await usable(1)
    const stream = await openEvents(must(other).url, must(staff.access_token))
    await stream.until(({ type }) => type === 'ready')
    await hold()
    await write('Told by an event')
    await stream.until(({ type }) => type === MESSAGE_CREATED)
    const told = must(stream.events.findLast(({ type }) => type === 'read_after'))
    stream.close()
    const list = '/api/staff/tickets/?q=Told'
    expect(await subjects(staff, '0/0', list)).not.toContain('Told by an event')
    expect(await subjects(staff, String(told.data['position']), list)).toContain('Told by an event')
    await letGo()
  })

  it('is not read while it is more than 5 s behind, or away, or no standby: the primary answers', async () => {
    await usable(1)
    await hold()
    await write('Far behind')
    await usable(0)
    expect(await subjects(customer, '0/0')).toContain('Far behind')
    const config = loadConfig({
      ...settings,
      PORT: '0',
      SECRET_KEY: 'the-key-of-the-tests-which-protects-nothing-0123456789',
    })
    await expect(examineReplica(config)).rejects.toThrow('more than 5 s behind')
    await letGo()
    await usable(1)
    expect(await examineReplica(config)).toMatch(/^it follows, at most \d\.\d s behind$/)
    const itself = { ...config, readDatabaseUrl: config.databaseUrl }
    await expect(examineReplica(itself)).rejects.toThrow('it is no standby any more')
    await kill(standby)
    expect(await subjects(customer, '0/0')).toContain('Far behind')
    await usable(0)
    expect(await figure('hostdesk_replica_lag_seconds')).toBeUndefined()
    await expect(examineReplica(config)).rejects.toThrow('ECONNREFUSED')
  })
})
