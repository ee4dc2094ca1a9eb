import { liveEvent } from '#foundation/contract.ts'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import {
  createUser,
  setStaffRoles,
  updateUser,
  endSession,
  endSessionsOf,
  rotateSession,
  startSession,
} from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { openEvents, type OpenEvents } from '#tests/harness/events.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { closeStreams } from './hub.ts'
import { publish } from './publish.ts'

const SAID = liveEvent('test.said')

const { app, url } = await startTestApp()

async function signIn(user_id?: string) {
  return transaction(app, 'system', async (tx) => {
    const id = user_id ?? (await createUser(tx, { email: anyEmail(), locale: 'en' }))
    const started = await startSession(app, tx, {
      user_id: id,
      methods: [],
      from: { ip: '127.0.0.1', user_agent: 'test' },
    })
    return { user_id: id, token: started.access_token.access, actor: started.actor }
  })
}
const say = (user_id: string, n: number) =>
  transaction(app, 'system', (tx) => publish(tx, user_id, { type: SAID, n }))
const numbers = (stream: OpenEvents) =>
  stream.events.filter((e) => e.type === 'test.said').map((e) => Number(e.data.n))

it('rule 29: begins at `ready` and sends what is committed from then on, not what is rolled back', async () => {
  const { user_id, token } = await signIn()
  await say(user_id, 0)
  const stream = await openEvents(url, token)
  await transaction(app, 'system', async (tx) => {
    await publish(tx, user_id, { type: SAID, n: 1 })
    throw new Error('rolled back')
  }).catch(() => {})
  await say(user_id, 2)
  await stream.until((event) => event.data.n === 2)
  expect(numbers(stream)).toEqual([2])
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  expect(stream.headers.get('x-content-type-options')).toBe('nosniff')
  stream.close()
})

it('rule 29: `ready` says whether something has happened since the page began to load, or may have by then', async () => {
  const { user_id, token } = await signIn()
  const ready = async (headers: Record<string, string>) => {
    const stream = await openEvents(url, token, headers)
    const { data } = await stream.until((event) => event.type === 'ready')
    stream.close()
    return data
  }
  const since = (seconds: number) =>
    transaction(app, 'system', (tx) =>
      sql`update live_events set created_at = now() - make_interval(secs => ${seconds}) where user_id = ${user_id}`.execute(
        tx,
      ),
    )
  expect(await ready({ 'x-loaded-ms': '2000' })).toEqual({ unchanged: true })
  await say(user_id, 1)
  expect(await ready({ 'x-loaded-ms': '2000' })).toEqual({})
  // A transaction that began half a minute ago may have ended a moment ago.
  await since(25)
  expect(await ready({ 'x-loaded-ms': '2000' })).toEqual({})
  await since(40)
  expect(await ready({ 'x-loaded-ms': '2000' })).toEqual({ unchanged: true })
  expect(await ready({ 'x-loaded-ms': '15000' })).toEqual({})
  expect(await ready({})).toEqual({})
})

it('rule 28, 29: 20 parallel writers, a reader that is cut again and again: no gap, no double, in order', async () => {
  const { user_id, token } = await signIn()
  const stream = await openEvents(url, token)
  const writers = Array.from({ length: 20 }, async (_, writer) => {
    for (let n = 0; n < 10; n += 1) {
      await transaction(app, 'system', async (tx) => {
        await publish(tx, user_id, { type: SAID, n: writer * 10 + n })
        // The commits do not come in the order in which the transactions began.
        if ((writer + n) % 3 === 0) await sleep(Math.random() * 5)
      })
    }
  })
  const seen: { id: string; n: number }[] = []
  let reader = stream
  let finished = false
  const reading = (async () => {
    for (;;) {
      await reader.until(() => true, 200).catch(() => {})
      const fresh = reader.events.splice(0)
      seen.push(
        ...fresh.filter((e) => e.type === 'test.said').map((e) => ({ id: must(e.id), n: Number(e.data.n) })),
      )
      if (seen.length >= 200 || (finished && fresh.length === 0)) return
      const last = reader.last_id
      reader.close()
      reader = await openEvents(url, token, { 'last-event-id': last })
    }
  })()
  await Promise.all(writers)
  finished = true
  await reading
  reader.close()
  expect(seen.map((event) => event.id)).toEqual(Array.from({ length: 200 }, (_, n) => `u${n + 1}`))
  expect(new Set(seen.map((event) => event.n)).size).toBe(200)
})

it('rule 5: is cut within 2 s of a sign-out, a deactivation, a lost role, new tokens; others of the user stay', async () => {
  const [first, other] = await (async () => {
    const one = await signIn()
    return [one, await signIn(one.user_id)] as const
  })()
  const [cut, stays] = [await openEvents(url, first.token), await openEvents(url, other.token)]
  const took = ownClock()
  await transaction(app, 'system', (tx) => endSession(tx, first.actor))
  await cut.ended()
  expect(took()).toBeLessThan(2000)
  await stays.until(
    (event) => event.type === 'session.ended' && event.data.session_id === Number(first.actor.session_id),
  )
  expect(stays.open).toBe(true)

  // These changes are announced by nobody: the check of every second must find them.
  const changes = [
    (tx: Tx, id: string) => updateUser(tx, id, { is_active: false }),
    (tx: Tx, id: string) => setStaffRoles(tx, id, ['support']),
  ]
  for (const change of changes) {
    const { user_id, token } = await signIn()
    const stream = await openEvents(url, token)
    const took = ownClock()
    await transaction(app, 'system', (tx) => change(tx, user_id))
    await stream.ended()
    expect(took()).toBeLessThan(2000)
    expect(stream.events.at(-1)?.type).toBe('ended')
  }
  await transaction(app, 'system', (tx) => rotateSession(app, tx, other.actor))
  await stays.ended()
  await transaction(app, 'system', (tx) => endSessionsOf(tx, first.user_id))
})

it('rule 29: sends `resync` where the log does not reach back, and to a cursor of another database', async () => {
  const { user_id, token } = await signIn()
  for (let n = 1; n <= 3; n += 1) await say(user_id, n)
  await app.db.deleteFrom('live_events').where('user_id', '=', user_id).where('seq', '<', 3n).execute()
  for (const after of ['u0', 'u99']) {
    const stream = await openEvents(url, token, { 'last-event-id': after })
    expect(await stream.until(() => true)).toEqual({ id: 'u3', type: 'resync', data: {} })
    stream.close()
  }
  const resumed = await openEvents(url, token, {}, '?after=u2')
  expect(await resumed.until(() => true)).toMatchObject({ id: 'u3', data: { n: 3 } })
  resumed.close()
  expect(
    (await fetch(`${url}/api/events/?after=x`, { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(400)
  expect((await fetch(`${url}/api/events/`)).status).toBe(401)
})

// Before, a client that had vanished kept one of the eight places until TCP gave up, and the ninth was refused.
it('rule 29: at most 8 streams a user; a ninth replaces the oldest, which is notified', async () => {
  const { token } = await signIn()
  const streams: OpenEvents[] = []
  for (let n = 0; n < 8; n += 1) streams.push(await openEvents(url, token))
  const ninth = await openEvents(url, token)
  await must(streams[0]).ended()
  expect(must(streams[0]).events.at(-1)?.type).toBe('displaced')
  expect(streams.slice(1).map(({ open }) => open)).toEqual(Array.from({ length: 7 }, () => true))
  for (const stream of [...streams, ninth]) stream.close()
})

it('rule 29: a page that comes back takes the place of its own last stream, and no other', async () => {
  const { token } = await signIn()
  const page = { 'x-tab-id': 'a-page-of-mine' }
  const vanished = await openEvents(url, token, page)
  const other = await openEvents(url, token, { 'x-tab-id': 'another-page' })
  const back = await openEvents(url, token, page)
  await vanished.ended()
  expect(vanished.events.map(({ type }) => type)).not.toContain('displaced')
  expect([other.open, back.open]).toEqual([true, true])
  for (const stream of [other, back]) stream.close()
})

it('rule 29: a reader that takes nothing is cut off at 256 kB, and the process goes on', async () => {
  const { user_id, token } = await signIn()
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  socket.write(`GET /api/events/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const witness = await openEvents(url, token)
  const word = 'x'.repeat(100_000)
  const said = 150
  for (let n = 1; n <= said; n += 1)
    await transaction(app, 'system', (tx) => publish(tx, user_id, { type: SAID, word, n }))
  // A reader that takes all data has it by now. The data was offered to the other reader too, which lags behind by its own fault.
  await witness.until(({ data }) => data.n === said, 60_000)
  witness.close()
  // The data buffered by the kernel is read; then comes the end, long before everything that was sent.
  let received = 0
  socket.on('data', (chunk) => (received += chunk.length)).resume()
  await closed
  expect(received).toBeLessThan(said * 100_000)
}, 90_000)

it('rule 29, 34: a lost LISTEN connection loses no event; the stream stays open', async () => {
  const { user_id, token } = await signIn()
  const stream = await openEvents(url, token)
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  const cut = async () =>
    (
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen live%' and datname = current_database()`,
      )
    ).rowCount
  expect(await cut()).toBe(1)
  await say(user_id, 1)
  await stream.until((event) => event.data.n === 1)
  await say(user_id, 2)
  await stream.until((event) => event.data.n === 2)
  await owner.end()
  expect(numbers(stream)).toEqual([1, 2])
  stream.close()
})

it('rule 29: a heartbeat every 15 s', async () => {
  const { token } = await signIn()
  const stream = await openEvents(url, token)
  const took = ownClock()
  await expect.poll(() => stream.beats, { timeout: 25_000, interval: 100 }).toBeGreaterThan(0)
  expect(took()).toBeLessThan(16_000)
  stream.close()
})

it('rule 34: SIGTERM ends streams, so that the server can close', async () => {
  const { token } = await signIn()
  const stream = await openEvents(url, token)
  await closeStreams(app)
  await stream.ended()
  const refused = await fetch(`${url}/api/events/`, { headers: { authorization: `Bearer ${token}` } })
  expect(refused.status).toBe(503)
})
