import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { accountEvent, seeEvents } from './contract.ts'
import { must } from '#foundation/must.ts'
import { published } from '#foundation/published.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, undone, type Tx } from '#foundation/server/database/transaction.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { withConnectionAt } from '#tests/harness/pools.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import {
  becomeReader,
  envelopeOf,
  eraseEvents,
  eventsAfter,
  newestNumbers,
  numberOperatorEvents,
  numberAt,
  OPERATOR,
  readOne,
  settleReading,
} from './account-events.ts'
import { record } from './record.ts'
import { skipNumbers } from './restored-queries.ts'

const test = await startTestApp()
const { app } = test

const data = z.strictObject({ id: z.string() })
const about = { summary: 'Something was done.', data, opens: seeEvents }
const done = published('thing.done', about)
const seen = published('thing.seen', { ...about, isForOperator: true })

const listedData = z.strictObject({
  id: z.string(),
  lines: z.array(
    z.strictObject({
      name: z.string(),
      amount: z.string(),
      nested: z.strictObject({ a: z.string(), b: z.array(z.string()) }),
    }),
  ),
})
const listed = published('thing.listed', { ...about, data: listedData })

const act = (owner: string, id: string, more?: (tx: Tx) => Promise<unknown>) =>
  transaction(app, 'system', async (tx) => {
    record(tx, owner, done, { id })
    await more?.(tx)
  })
const all = async (owner: string, seq?: number) => {
  if (owner === OPERATOR) await numberOperatorEvents(app)
  const { events } = await eventsAfter(app.db, owner, seq, { limit: 5000 })
  return events
}
const idsOf = async (owner: string) => (await all(owner)).map((event) => event.data['id'])

describe('record', () => {
  it('writes for readers, in order, what the act says at its end, and nothing for anybody else', async () => {
    const [reader, other] = [randomUUID(), randomUUID()]
    const asked: string[] = []
    const read = (name: string) => async () => {
      asked.push(name)
      return name === 'nothing' ? undefined : { id: name }
    }
    const both = () =>
      transaction(app, 'system', async (tx) => {
        record(tx, other, done, read('unread'))
        record(tx, reader, done, read('first'), { host: 'h' })
        record(tx, reader, done, read('nothing'))
        await undone(tx, async () => record(tx, reader, done, read('undone')))
        record(tx, reader, done, { id: 'second' })
      })
    await both()
    expect([await all(reader), asked]).toEqual([[], []])
    await becomeReader(app, reader)
    await both()
    expect(asked).toEqual(['first', 'nothing'])
    expect(await all(reader)).toMatchObject([
      { seq: 1, type: 'thing.done', data: { id: 'first' }, host_id: 'h', customer_id: null },
      { seq: 2, data: { id: 'second' }, host_id: null },
    ])
    expect(await all(other)).toEqual([])
    expect(await readOne(app.db, reader, 2)).toMatchObject({ data: { id: 'second' } })
    expect(await readOne(app.db, reader, 3)).toBeUndefined()
    expect(await newestNumbers(app.db, [reader, other])).toEqual(new Map([[reader, 2]]))
    const [first, last] = await all(reader)
    expect(await numberAt(app.db, reader, new Date(0))).toBe(0)
    expect(await numberAt(app.db, reader, new Date(must(last).occurred_at.getTime() + 1))).toBe(2)
    expect(z.parse(accountEvent, envelopeOf(must(first)))).toMatchObject({
      id: `evt_${reader}_1`,
      data: { id: 'first' },
    })
  })

  it('cuts long texts of data above 60 kB, and never fails the act', async () => {
    const owner = randomUUID()
    await becomeReader(app, owner)
    await act(owner, 'ж'.repeat(40_000))
    const [event] = await all(owner)
    expect(String(event?.data['id']).length).toBe(16_385)
    const broken = transaction(app, 'system', async (tx) =>
      record(tx, owner, done, async () => Object({ name: 1 })),
    )
    await expect(broken).rejects.toThrow('thing.done breaks its contract')
  })

  it('cuts long lists of data above 60 kB at their end, in the form that the database keeps too, and no text of what is left', async () => {
    const owner = randomUUID()
    await becomeReader(app, owner)
    const line = { name: 'brave-otter-42', amount: '490', nested: { a: '1', b: ['2', '3'] } }
    // 540 lines are 48 kB of text, which the database would keep in more than 64 kB.
    for (const count of [10, 540, 3000, 20_000]) {
      await transaction(app, 'system', async (tx) =>
        record(tx, owner, listed, { id: String(count), lines: Array.from({ length: count }, () => line) }),
      )
      const kept = z.parse(listedData, must((await all(owner)).at(-1)).data)
      expect(kept.id).toBe(String(count))
      expect(kept.lines.length).toBeGreaterThanOrEqual(Math.min(count, 400))
      expect(kept.lines.every((one) => isDeepStrictEqual(one, line))).toBe(true)
    }
  })

  it('no event without its act, no act without its event, no gap, and a reader misses none while they commit', async () => {
    const owners = [randomUUID(), randomUUID(), randomUUID()]
    for (const owner of [...owners, OPERATOR]) await becomeReader(app, owner)
    const wants = Array.from({ length: 240 }, (_, nth) => `act ${nth}`)
    let isOver = false
    const follow = async (owner: string) => {
      const got: { seq: number; id: unknown; customer_id: string | null }[] = []
      for (let seq = 0; ;) {
        const isLast = isOver
        if (owner === OPERATOR) await numberOperatorEvents(app)
        const page = await eventsAfter(app.db, owner, seq, { limit: 7 })
        got.push(
          ...page.events.map(({ seq: at, data, customer_id }) => ({ seq: at, id: data['id'], customer_id })),
        )
        seq = page.seq
        if (isLast && !page.hasMore) return got
        await sleep(1)
      }
    }
    const following = Promise.all([...owners, OPERATOR].map(follow))
    const one = async (id: string, nth: number) => {
      const several = [0, 1, 2]
        .filter((owner) => owner === nth % 3 || nth % 5 === owner)
        .toSorted(() => (nth % 2) - 0.5)
      await transaction(app, 'system', async (tx) => {
        for (const owner of several) record(tx, owners[owner] ?? '', done, async () => ({ id }))
        await recordAction(tx, {
          user_id: owners[nth % 3] ?? '',
          act: 'session.started',
          detail: { id, several },
        })
        if (nth % 7 === 0) throw new Error('the act fails')
      }).catch(() => {})
    }
    const queues = Array.from({ length: 8 }, async (_, worker) => {
      for (const [nth, id] of wants.entries()) if (nth % 8 === worker) await one(id, nth)
    })
    await Promise.all(queues)
    isOver = true
    const [lists, committed] = [
      await following,
      await asOwner(test, `select detail from audit where detail ? 'several'`),
    ]
    const acts = committed.map((row) => z.parse(acted, row).detail)
    for (const [nth, owner] of owners.entries()) {
      const list = lists[nth] ?? []
      expect(list.map(({ seq }) => seq)).toEqual(list.map((_, place) => place + 1))
      const its = acts.filter(({ several }) => several.includes(nth)).map(({ id }) => id)
      expect(new Set(list.map(({ id }) => id))).toEqual(new Set(its))
      expect(list).toHaveLength(its.length)
      const ofOperator = lists[3]?.filter(({ customer_id }) => customer_id === owner)
      expect(ofOperator?.map(({ id }) => id)).toEqual(list.map(({ id }) => id))
    }
    const operators = lists[3] ?? []
    expect(operators.map(({ seq }) => seq)).toEqual(operators.map((_, place) => place + 1))
    expect(operators).toHaveLength(acts.flatMap(({ several }) => several).length)
    expect(acts.length).toBeGreaterThan(150)
  })
})

describe('the list of the operator', () => {
  it('is numbered by its readers in rising times, and no act waits for another at it', async () => {
    await becomeReader(app, OPERATOR)
    const owner = randomUUID()
    await act(owner, 'first')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const slow = transaction(app, 'system', async (tx) => {
      await sql`select number_operator_events()`.execute(tx)
      lock()
      await held
    })
    await locked
    // One process numbers, and has not committed: acts go on, and another process numbers nothing.
    await act(owner, 'second')
    await numberOperatorEvents(app)
    expect((await newestNumbers(app.db, [OPERATOR])).get(OPERATOR)).toBeGreaterThan(0)
    release()
    await slow
    const mine = (await all(OPERATOR)).filter(({ customer_id }) => customer_id === owner)
    expect(mine.map((event) => event.data['id'])).toEqual(['first', 'second'])
    // A clock that went back, or an act that took long, makes no time of the list go back.
    await asOwner(
      test,
      `insert into operator_events_waiting (type, data, customer_id, occurred_at) values ('thing.done', '{"id": "late"}', $1, now() - interval '1 hour')`,
      [owner],
    )
    const times = (await all(OPERATOR)).map(({ occurred_at }) => occurred_at.getTime())
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(await asOwner(test, 'select from operator_events_waiting')).toEqual([])
  })
})

const acted = z.object({ detail: z.object({ id: z.string(), several: z.array(z.number()) }) })

describe('a reader', () => {
  it('waits for the acts that do not know of it, and misses none that ends later', async () => {
    const owner = randomUUID()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const old = act(owner, 'old', async (tx) => {
      await sql`select`.execute(tx)
      begin()
      await held
    })
    await begun
    let isReading = false
    const reading = becomeReader(app, owner).then(() => (isReading = true))
    await expect
      .poll(() => asOwner(test, 'select from account_event_lists where user_id = $1', [owner]))
      .toHaveLength(1)
    // An act that begins meanwhile knows of the reader already.
    await act(owner, 'meanwhile')
    await sleep(50)
    expect(isReading).toBe(false)
    release()
    await Promise.all([old, reading])
    await act(owner, 'new')
    expect(await idsOf(owner)).toEqual(expect.arrayContaining(['meanwhile', 'new']))
  })

  it('that came back after 30 days is told that something is missing; numbers are not given again', async () => {
    const owner = randomUUID()
    await becomeReader(app, owner)
    await act(owner, 'one')
    await asOwner(
      test,
      `update account_event_lists set read_until = now() - interval '1 minute' where user_id = $1`,
      [owner],
    )
    await act(owner, 'unread')
    await becomeReader(app, owner)
    await act(owner, 'two')
    expect(await eventsAfter(app.db, owner, 1, { limit: 9 })).toMatchObject({
      isComplete: false,
      begins: 2,
      newest: 3,
    })
    const following = await eventsAfter(app.db, owner, 2, { limit: 9 })
    expect(following).toMatchObject({ isComplete: true, events: [{ seq: 3, data: { id: 'two' } }] })
    expect((await eventsAfter(app.db, owner, 4, { limit: 9 })).isComplete).toBe(false)
  })

  it('is told after a restore that numbers were left out, so that none is given to two events', async () => {
    const owner = randomUUID()
    await becomeReader(app, owner)
    await act(owner, 'before')
    await withConnectionAt(app.ownerUrl, skipNumbers)
    await act(owner, 'after')
    expect(await eventsAfter(app.db, owner, 1, { limit: 9 })).toMatchObject({ isComplete: false })
    expect((await all(owner)).map(({ seq }) => seq)).toEqual([1, 1_000_001])
  })

  it('with an endpoint stays one for ever, and for 30 days after its last endpoint', async () => {
    const owner = randomUUID()
    const settle = (hasEndpoints: boolean) =>
      transaction(app, 'system', (tx) => settleReading(tx, owner, async () => hasEndpoints))
    const until = () =>
      asOwner(test, 'select read_until::text from account_event_lists where user_id = $1', [owner])
    await expect(settle(true)).rejects.toThrow('is no reader')
    await becomeReader(app, owner)
    await act(owner, 'one')
    expect(await settle(true)).toEqual({ last: 1 })
    expect(await until()).toEqual([{ read_until: 'infinity' }])
    await becomeReader(app, owner)
    expect(await until()).toEqual([{ read_until: 'infinity' }])
    await settle(false)
    expect(await until()).toEqual([{ read_until: expect.stringMatching(/^\d{4}-/) }])
  })
})

describe('the list', () => {
  it('keeps 30 days in a ring, is never changed, and is erased with its account', async () => {
    const owner = randomUUID()
    for (const one of [owner, OPERATOR]) await becomeReader(app, one)
    await transaction(app, 'system', async (tx) => record(tx, owner, seen, { id: 'for the operator alone' }))
    await act(owner, 'kept')
    expect(await idsOf(owner)).toEqual(['kept'])
    await numberOperatorEvents(app)
    for (const change of [
      'update account_events set type = type',
      'delete from account_events',
      'truncate account_events',
    ])
      await expect(transaction(app, 'system', (tx) => sql.raw(change).execute(tx))).rejects.toThrow()
    await expect(asOwner(test, 'delete from account_events')).rejects.toThrow('append-only')
    const sweepIn = (days: number) =>
      asOwner(
        test,
        `select sweep_account_events(to_timestamp(extract(epoch from now())::bigint / 432000 * 432000) + $1::interval)`,
        [`${days} days`],
      )
    for (const days of [0, 5, 10, 15, 20, 25, 30]) await sweepIn(days)
    expect(await idsOf(owner)).toEqual(['kept'])
    await sweepIn(35)
    expect(await eventsAfter(app.db, owner, 0, { limit: 9 })).toMatchObject({
      events: [],
      isComplete: false,
      begins: 1,
    })
    await act(owner, 'new')
    const mine = async () => (await all(OPERATOR)).filter(({ customer_id }) => customer_id === owner)
    expect(await mine()).toHaveLength(1)
    await act(owner, 'waits for its number')
    await transaction(app, 'system', (tx) => eraseEvents(tx, owner))
    expect([await all(owner), await mine()]).toEqual([[], []])
    await act(owner, 'nobody reads')
    expect(await all(owner)).toEqual([])
  })
})
