import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser, endSessionsOf, startSession } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { closeStreams, hubOf } from './hub.ts'
import { publishToAll } from './publish.ts'

const test = await startTestApp()
const { app, url } = test

async function sessionOf({ user_id }: Pick<Customer, 'user_id'>) {
  const from = { ip: '127.0.0.1', user_agent: 'test' }
  const { actor } = await transaction(app, 'system', (tx) =>
    startSession(app, tx, { user_id, methods: [], from }),
  )
  return { actor, user_id }
}

const say = (recipients: Parameters<typeof publishToAll>[1], n: number) =>
  transaction(app, 'system', (tx) => publishToAll(tx, recipients, { type: 'test.said', n }))

// Seen red with one log for both: the one who had lost the role resumed and was sent the whole hour's news of staff.
it('rule 5, 29: who is staff no more gets none of what staff were told, however they resume', async () => {
  const { user_id, api } = await signedInStaff(test)
  const stream = await openEvents(url, api.access_token!)
  await stream.until(({ type }) => type === 'ready')
  const [own, staff] = [
    { user_id, as_staff: false },
    { user_id, as_staff: true },
  ]
  await say([own], 1)
  await say([staff], 2)
  await stream.until(({ data }) => data.n === 2)
  await say([own], 3)
  await say([staff], 4)
  await say([own], 5)
  await say([staff], 6)
  const cut = performance.now()
  await transaction(app, 'system', (tx) => updateUser(tx, user_id, { is_staff: false }))
  await stream.ended()
  expect(performance.now() - cut).toBeLessThan(2000)

  const heard = async (after: number) => {
    const again = await openEvents(url, api.access_token!, { 'last-event-id': String(after) })
    await again.until(({ id }) => id === 6)
    again.close()
    return again.events.map(({ type, data }) => data.n ?? type)
  }
  // A hole at the place where one stands, or at the end, says: load anew.
  expect(await heard(0)).toEqual([1, 3, 5, 'resync'])
  expect(await heard(1)).toEqual(['resync'])
  expect(await heard(4)).toEqual([5, 'resync'])
})

it('rule 28: parallel writers to many in any order neither block each other for good nor leave a hole', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => signedInCustomer(test)))
  const streams = await Promise.all(people.map(({ api }) => openEvents(url, api.access_token!)))
  await Promise.all(streams.map((stream) => stream.until(({ type }) => type === 'ready')))
  const all = people.map(({ user_id }) => ({ user_id, as_staff: false }))
  const started = performance.now()
  await Promise.all(Array.from({ length: 60 }, (_, n) => say(n % 2 === 0 ? all : all.toReversed(), n)))
  for (const stream of streams) {
    await expect.poll(() => stream.events.length, { timeout: 5000 }).toBe(61)
    expect(stream.events.slice(1).map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
    stream.close()
  }
  // A deadlock would have cost its second at least.
  expect(performance.now() - started).toBeLessThan(8000)
  const { rows } = await app.pool.query<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(rows[0]?.deadlocks).toBe(0n)
})

// Seen red: the end was written a second time, which broke the stream with an error instead of ending it.
it('rule 5, 29: a reader that takes nothing is gone within 2 s of the end of its session, too', async () => {
  const { actor, user_id } = await sessionOf(await signedInCustomer(test))
  const stream = hubOf(app).open({ ...actor, after: undefined })
  const errors: unknown[] = []
  stream.out.on('error', (error) => errors.push(error))
  const closed = new Promise((resolve) => stream.out.once('close', resolve))
  const ended = performance.now()
  await transaction(app, 'system', (tx) => endSessionsOf(tx, user_id))
  await closed
  expect(performance.now() - ended).toBeLessThan(3000)
  expect(errors).toEqual([])
})

it('rule 33: a process holds 10,000 streams and sends the next reader elsewhere', async () => {
  const hub = hubOf(app)
  const reader = () => ({
    user_id: randomUUID(),
    session_id: 0n,
    generation: 0,
    is_staff: false,
    after: undefined,
  })
  const streams = Array.from({ length: 10_000 }, () => hub.open(reader()))
  for (const { out } of streams) out.resume()
  expect(() => hub.open(reader())).toThrow(expect.objectContaining({ status: 503, retry_after_s: 10 }))
  // Nobody has such a session: they end, and the places are free again.
  await Promise.all(streams.map(({ out }) => new Promise((resolve) => out.once('close', resolve))))
  hub.open(reader()).out.resume()
  await closeStreams(app)
}, 30_000)
