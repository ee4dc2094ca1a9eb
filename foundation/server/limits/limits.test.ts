import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '#tests/harness/test-app.ts'
import { countHere, windowsHere } from './count-here.ts'
import { count, forget, networkOf, sweepAttempts } from './limits.ts'
import { must } from '#foundation/must.ts'

const { app } = await startTestApp()
const many = (n: number, key: string) =>
  Promise.all(Array.from({ length: n }, () => count(app, app.db, 'login_failure', key)))
const allowed = (attempts: { allowed: boolean }[]) => attempts.filter((attempt) => attempt.allowed).length

it('rule 18: of 200 attempts at once exactly 5 are judged', async () => {
  expect(allowed(await many(200, 'ann@example.com'))).toBe(5)
  expect(allowed(await many(1, 'bob@example.com'))).toBe(1)
})

it('rule 18: a refused attempt does not lengthen the window', async () => {
  await many(5, 'carol@example.com')
  await sql`update attempts set hits = (select array_agg(h - interval '290 seconds') from unnest(hits) h)`.execute(
    app.db,
  )
  const refused = await count(app, app.db, 'login_failure', 'carol@example.com')
  expect(refused.allowed).toBe(false)
  expect(refused.retry_after_s).toBeGreaterThan(0)
  expect(refused.retry_after_s).toBeLessThanOrEqual(10)
  await sql`update attempts set hits = (select array_agg(h - interval '11 seconds') from unnest(hits) h)`.execute(
    app.db,
  )
  expect(allowed(await many(6, 'carol@example.com'))).toBe(5)
})

it('the window slides: each attempt expires by its own time', async () => {
  await many(3, 'dora@example.com')
  await sql`update attempts set hits = (select array_agg(h - interval '200 seconds') from unnest(hits) h)`.execute(
    app.db,
  )
  expect(allowed(await many(5, 'dora@example.com'))).toBe(2)
  await sql`update attempts set hits = (select array_agg(h - interval '150 seconds') from unnest(hits) h)`.execute(
    app.db,
  )
  expect(allowed(await many(5, 'dora@example.com'))).toBe(3)
})

it('a clock that ran an hour ahead and came back locks for no longer than the window', async () => {
  await many(5, 'fred@example.com')
  await sql`update attempts set hits = (select array_agg(h + interval '1 hour') from unnest(hits) h)`.execute(
    app.db,
  )
  const refused = await count(app, app.db, 'login_failure', 'fred@example.com')
  expect(refused.allowed).toBe(false)
  expect(refused.retry_after_s).toBeLessThanOrEqual(300)
  await sql`update attempts set hits = (select array_agg(h - interval '300 seconds') from unnest(hits) h)`.execute(
    app.db,
  )
  expect(allowed(await many(6, 'fred@example.com'))).toBe(5)
})

it('a released attempt can be used again, once each', async () => {
  const attempts = await many(5, 'eve@example.com')
  await must(attempts[0]).release()
  await must(attempts[3]).release()
  expect(allowed(await many(9, 'eve@example.com'))).toBe(2)
  await forget(app, 'login_failure', 'eve@example.com')
  expect(allowed(await many(9, 'eve@example.com'))).toBe(5)
})

// Seen red: one window of an hour kept all those of a minute that began after it.
it('a process forgets windows that ended, also behind one that is longer', async () => {
  const countIn = (key: string, window_ms: number) => countHere(app, Buffer.from(key), 1, window_ms)
  expect(countIn('long', 3_600_000).allowed).toBe(true)
  for (let place = 0; place < 100; place += 1) countIn(`short ${place}`, 20)
  const left = () => {
    countIn('short 0', 20)
    return windowsHere(app)
  }
  await expect.poll(left).toBe(2)
  expect(countIn('long', 3_600_000).allowed).toBe(false)
})

it('the sweep removes windows that ended and no others', async () => {
  await many(1, 'old@example.com')
  await sql`update attempts set expires_at = now() - interval '1 second'`.execute(app.db)
  await many(1, 'new@example.com')
  await sweepAttempts(app)
  const left = await app.db.selectFrom('attempts').select('bucket').execute()
  expect(left).toHaveLength(1)
})

it('all IPv6 addresses of one /64 belong to one network, however they are written', () => {
  expect(networkOf('2001:db8:0:1::7')).toBe('2001:db8:0:1')
  expect(networkOf('2001:0db8:0000:0001:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1')
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
})

it('the same /64 counts as one whatever the host part (property)', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (address, host) => {
        const other = [...address.slice(0, 4), ...host]
        expect(networkOf(other.join(':'))).toBe(networkOf(address.join(':')))
      },
    ),
  )
})
