import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { printMetrics } from '#foundation/server/operation/metrics.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { hardlyWaiting } from './hardly-waiting.ts'
import { holdsLock, recordLocked } from './lock-order.ts'
import { beginningOf, lastly, transaction, type Author, type Tx } from './transaction.ts'
import { isUnavailable } from './unavailable.ts'

const { app } = await startTestApp({ isHurried: true })
/** The first byte by which a client of PostgreSQL ends its connection. */
const TERMINATE = 0x58
const newUser = (email: string) =>
  transaction(
    app,
    'system',
    async (tx) =>
      (await tx.insertInto('users').values({ email }).returning('id').executeTakeFirstOrThrow()).id,
  )

// This test failed while each connection of a process refused the first statement after a migration of the next release, with status 500.
it('rule 34: statements that were planned before a migration widened their table go on, alone and in transactions', async () => {
  const read = (db = app.db) => db.selectFrom('tickets').selectAll().where('id', '=', 0n).execute()
  const readInTransaction = () => transaction(app, 'system', (tx) => read(tx))
  const many = () => Promise.all([...Array.from({ length: 6 }, () => read()), readInTransaction()])
  await many()
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  for (const column of ['one', 'other']) {
    await owner.query(`alter table tickets add column ${column} text`)
    expect(await readInTransaction()).toEqual([])
    expect(await many()).toEqual(Array.from({ length: 7 }, () => []))
  }
  await owner.end()
})

describe('rule 2: the database refuses rows of others', () => {
  it('runs the application as a role that owns nothing and bypasses nothing', async () => {
    const { rows } = await app.pool.query(
      `select current_user, (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as mighty,
        (select count(*)::int from pg_tables where schemaname = 'public' and tableowner = current_user) as owned`,
    )
    expect(rows[0]).toEqual({ current_user: 'hostdesk_app', mighty: false, owned: 0 })
  })
  it('changes no row of another user, and none without an author', async () => {
    const [ann, bob] = await Promise.all([newUser('ann@example.com'), newUser('bob@example.com')])
    const rename = (author: Author, id: string) =>
      transaction(app, author, (tx) =>
        tx.updateTable('users').set({ locale: 'de' }).where('id', '=', id).executeTakeFirst(),
      )
    expect((await rename({ userId: ann }, ann)).numUpdatedRows).toBe(1n)
    expect((await rename({ userId: ann }, bob)).numUpdatedRows).toBe(0n)
    expect((await rename('nobody', bob)).numUpdatedRows).toBe(0n)
    expect((await rename({ systemFor: ann }, bob)).numUpdatedRows).toBe(1n)
    await expect(rename({ systemFor: randomUUID() }, bob)).rejects.toMatchObject({ status: 401 })
    const alone = await app.db
      .updateTable('users')
      .set({ locale: 'de' })
      .where('id', '=', bob)
      .executeTakeFirst()
    expect(alone.numUpdatedRows).toBe(0n)
    await expect(
      transaction(app, { userId: ann }, (tx) =>
        tx.insertInto('users').values({ id: randomUUID(), email: 'x@example.com' }).execute(),
      ),
    ).rejects.toThrow('row-level security')
  })
  it('forgets the author at the end, so that a pooled connection carries none over', async () => {
    await newUser('carol@example.com')
    const { rows } = await app.pool.query(`select coalesce(current_setting('app.actor', true), '') as actor`)
    expect(rows[0].actor).toBe('')
  })
})

describe('rule 9: transactions', () => {
  it('are run again from the start after a serialisation failure, but not after a unique violation', async () => {
    let runs = 0
    const result = await transaction(app, 'system', async (tx) => {
      runs += 1
      if (runs < 3)
        await sql.raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`).execute(tx)
      return 'done'
    })
    expect([result, runs]).toEqual(['done', 3])
    runs = 0
    await expect(
      transaction(app, 'system', async (tx) => {
        runs += 1
        await sql.raw(`do $$ begin raise exception 'no' using errcode = '23505'; end $$`).execute(tx)
      }),
    ).rejects.toThrow('no')
    expect(runs).toBe(1)
  })
  it('fail whole with a statement that goes with COMMIT, among others, and are run again after its serialisation failure', async () => {
    const failing = (code: string, times: number) => {
      let runs = 0
      return transaction(app, 'system', async (tx) => {
        runs += 1
        await tx
          .insertInto('users')
          .values({ email: `${code}@example.com` })
          .execute()
        const raise = `do $$ begin raise exception 'last' using errcode = '${code}'; end $$`
        await sql.raw(`/* with COMMIT */ ${runs > times ? 'select 1' : raise}`).execute(tx)
        await sql.raw(`/* with COMMIT */ select 2`).execute(tx)
        return runs
      })
    }
    expect(await failing('40001', 2)).toBe(3)
    await expect(failing('23505', 1)).rejects.toThrow('last')
    const users = await app.db.selectFrom('users').select('email').where('email', 'like', '____1@%').execute()
    const failed = await app.db.selectFrom('users').where('email', 'like', '23505@%').selectAll().execute()
    expect([users.map(({ email }) => email), failed]).toEqual([['40001@example.com'], []])
  })
  it('send their opening with the first statement of their work, their last ones with COMMIT, and nothing where there is no work', async () => {
    const sent = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
    const tripsOf = async (work: (tx: Tx) => Promise<unknown>) => {
      for (const spy of sent) spy.mockClear()
      await transaction(app, 'system', work).catch(() => {})
      // A pool of other tests may say goodbye meanwhile.
      const isGoodbye = ([bytes]: unknown[]) => Buffer.isBuffer(bytes) && bytes[0] === TERMINATE
      return sent.reduce((sum, { mock }) => sum + mock.calls.filter((call) => !isGoodbye(call)).length, 0)
    }
    const who = (tx: Tx) => sql<{ actor: string }>`select current_setting('app.actor') as actor`.execute(tx)
    const seen: unknown[] = []
    await transaction(app, 'system', async (tx) =>
      seen.push((await who(tx)).rows, (await beginningOf(tx)).epoch),
    )
    await transaction(app, 'system', async (tx) =>
      seen.push((await beginningOf(tx)).epoch, (await who(tx)).rows),
    )
    expect(seen).toEqual([[{ actor: 'system' }], seen[1], seen[1], [{ actor: 'system' }]])
    expect(typeof seen[1]).toBe('bigint')
    const and = (more: string) => (tx: Tx) => who(tx).then(() => sql.raw(more).execute(tx))
    expect([
      await tripsOf(who),
      await tripsOf(and('/* with COMMIT */ select 1')),
      await tripsOf(and('select 1')),
      await tripsOf(() => Promise.reject(new Error('no work'))),
    ]).toEqual([2, 2, 3, 0])
    for (const spy of sent) spy.mockRestore()
  })
  it('do their last acts by kind, and fail where one is asked for after its turn, instead of losing it', async () => {
    const acts: string[] = []
    const act = (name: string) => async () => void acts.push(name)
    await transaction(app, 'system', async (tx) => {
      lastly(tx, 'events', act('events'))
      lastly(tx, 'number', async () => {
        acts.push('number')
        lastly(tx, 'record', act('record'))
      })
    })
    expect(acts).toEqual(['number', 'record', 'events'])
    const late = transaction(app, 'system', async (tx) =>
      lastly(tx, 'events', async () => lastly(tx, 'number', act('lost'))),
    )
    await expect(late).rejects.toThrow('Asked for after its turn at the end of a transaction: number')
  })
  it('are answered as by a database that is too busy after the last try, and each try is counted and logged', async () => {
    const counted = async () =>
      BigInt(/retries_total.reason="deadlock". (\d+)/.exec(await printMetrics())?.[1] ?? 0)
    const before = await counted()
    const warn = vi.fn()
    let runs = 0
    const deadlocked = transaction({ ...app, log: { warn, error: vi.fn() } }, 'system', async (tx) => {
      runs += 1
      await sql.raw(`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`).execute(tx)
    })
    expect(isUnavailable(await deadlocked.catch((error: unknown) => error))).toBe(true)
    expect([runs, await counted()]).toEqual([4, before + 4n])
    expect(warn.mock.calls.map(([line]) => line.reason)).toEqual(Array.from({ length: 4 }, () => 'deadlock'))
  })
  it('refuse a lock of a kind before one that they hold, and a second one of a kind that is locked once', async () => {
    const rows = { name: 'rows', place: 0, again: 'higher' } as const
    const sums = { name: 'sums', place: 1, again: 'never' } as const
    const within = (work: (tx: Tx) => void) => transaction(app, 'system', async (tx) => work(tx))
    await within((tx) => {
      recordLocked(tx, rows, [2n, 1n])
      recordLocked(tx, rows, [3n])
      recordLocked(tx, sums, ['a', 'b'])
      // A row that is held may be locked again.
      recordLocked(tx, rows, [1n, 3n])
      recordLocked(tx, sums, ['b'])
      // A statement that did not wait may lock in any order.
      recordLocked(tx, rows, [0n], { waited: false })
      expect([holdsLock(tx, rows, 0n), holdsLock(tx, sums, 'c')]).toEqual([true, false])
    })
    const backwards: ((tx: Tx) => void)[] = [
      (tx) => [2n, 1n].forEach((id) => recordLocked(tx, rows, [id])),
      (tx) => [sums, rows].forEach((kind) => recordLocked(tx, kind, [9n])),
      (tx) => ['b', 'c'].forEach((key) => recordLocked(tx, sums, [key])),
    ]
    for (const work of backwards) await expect(within(work)).rejects.toThrow('rule 9')
  })
  it('begin anew instead of waiting where they lock in another order', async () => {
    const id = await newUser('held@example.com')
    const held = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const holder = transaction(app, 'system', async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      held.resolve()
      await free.promise
    })
    await held.promise
    let runs = 0
    const waits: string[] = []
    const noteWait = async (tx: Tx) => {
      const { rows } = await sql<{ wait: string }>`select current_setting('lock_timeout') as wait`.execute(tx)
      waits.push(...rows.map(({ wait }) => wait))
    }
    await transaction(app, 'system', async (tx) => {
      await hardlyWaiting(tx, async () => {
        await noteWait(tx)
        runs += 1
        if (runs === 3) free.resolve()
        if (runs === 3) await holder
        await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
        recordLocked(tx, { name: 'sums', place: 1, again: 'never' }, ['a'])
        recordLocked(tx, { name: 'rows', place: 0, again: 'never' }, ['a'])
      })
      await noteWait(tx)
    })
    expect([runs, waits]).toEqual([3, ['20ms', '20ms', '20ms', '2s']])
  })
  it('leave nothing behind when the work fails', async () => {
    await expect(
      transaction(app, 'system', async (tx) => {
        await tx.insertInto('users').values({ email: 'gone@example.com' }).execute()
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(
      await app.db.selectFrom('users').select('id').where('email', '=', 'gone@example.com').execute(),
    ).toEqual([])
  })
  it('carry their limits on every connection', async () => {
    const { rows } = await app.pool.query(
      `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    expect(rows[0]).toEqual({ lock: '2s', statement: '5s', idle: '10s' })
  })
  it('prepare every statement with parameters once per connection', async () => {
    const client = await app.pool.connect()
    try {
      for (let i = 0; i < 3; i += 1)
        await client.query({ text: 'select $1::int as prepared_here', values: [i] })
      const { rows } = await client.query(
        `select count(*)::int as n from pg_prepared_statements where statement like '%prepared_here%' and not from_sql`,
      )
      expect(rows[0].n).toBe(1)
    } finally {
      client.release()
    }
  })
})

it('rule 35: security acts cannot be changed or removed, not even by the owner', async () => {
  await transaction(app, 'system', (tx) => tx.insertInto('audit').values({ act: 'tried' }).execute())
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  for (const statement of [`update audit set act = 'x'`, 'delete from audit', 'truncate audit']) {
    await expect(owner.query(statement), statement).rejects.toThrow('append-only')
  }
  await owner.end()
  await expect(app.pool.query(`update audit set act = 'x'`)).rejects.toThrow('permission denied')
})

describe('statements beside an open transaction', () => {
  const count = () => app.db.selectFrom('users').select('id').limit(1).execute()
  it('are refused, and so is a second transaction inside the first', async () => {
    await expect(transaction(app, 'system', count)).rejects.toThrow('give it the transaction')
    const nested = transaction(app, 'system', () => transaction(app, 'system', async () => 1))
    await expect(nested).rejects.toThrow('give it the transaction')
  })
  it('are allowed before, after, and to what the transaction started and did not wait for', async () => {
    const later = Promise.withResolvers<unknown>()
    await transaction(app, 'system', async () => {
      setTimeout(() => later.resolve(count()), 20)
    })
    await expect(later.promise).resolves.toBeInstanceOf(Array)
    await expect(count()).resolves.toBeInstanceOf(Array)
  })
})
