import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import {
  createUser,
  devicesOf,
  findByAccessToken,
  findBySessionToken,
  refreshPair,
  rotateSession,
  startSession,
  sweepSessions,
} from '#foundation/server/session/session.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const { app } = await startTestApp()
const from = { ip: '192.0.2.1', user_agent: 'a browser' }
const asSystem = <T>(work: Parameters<typeof transaction<T>>[2]) => transaction(app, 'system', work)
let user_id: string
const signIn = () => asSystem((tx) => startSession(app, tx, { user_id, methods: [], from }))

let people = 0
beforeEach(async () => {
  people += 1
  user_id = await asSystem((tx) => createUser(tx, { email: `person-${people}@example.com`, locale: 'en' }))
})

describe('rule 43: sessions end', () => {
  it('90 days after the sign-in, however active', async () => {
    const { session_token, access_token } = await signIn()
    expect(decodeJwt(access_token.refresh).exp).toBe((await begunAt()) + 90 * 86_400)
    await begunAgo('89 days 23 hours')
    expect((await findBySessionToken(app, session_token))?.actor).toBeDefined()
    await begunAgo('90 days 1 second')
    expect(await findBySessionToken(app, session_token)).toBeUndefined()
    expect(await findByAccessToken(app, access_token.access)).toBeUndefined()
    expect(await refreshPair(app, access_token.refresh)).toBeUndefined()
    await asSystem((tx) => sweepSessions(app, tx))
    expect(await asSystem((tx) => devicesOf(app, tx, user_id))).toEqual([])
  })
  it('at the 101st sign-in, the one that was idle for longest, also of many at once', async () => {
    const first = await signIn()
    await Promise.all(Array.from({ length: 99 }, signIn))
    await asSystem((tx) =>
      sql`update sessions set written_at = now() - interval '1 day' where user_id = ${user_id}`.execute(tx),
    )
    const renewed = await refreshPair(app, first.access_token.refresh)
    const newer = await Promise.all(Array.from({ length: 20 }, signIn))
    expect(await asSystem((tx) => devicesOf(app, tx, user_id))).toHaveLength(100)
    expect(await findByAccessToken(app, must(renewed).access), 'was in use').toBeDefined()
    for (const { session_token } of newer)
      expect((await findBySessionToken(app, session_token))?.actor).toBeDefined()
  })

  /** Returns the beginning of the session in seconds since 1970, rounded down. */
  async function begunAt(): Promise<number> {
    const { rows } = await asSystem((tx) =>
      sql<{
        s: number
      }>`select floor(extract(epoch from created_at))::float8 as s from sessions where user_id = ${user_id}`.execute(
        tx,
      ),
    )
    return must(rows[0]).s
  }
  const begunAgo = (age: string) =>
    asSystem((tx) =>
      sql`update sessions set created_at = now() - ${age}::interval where user_id = ${user_id}`.execute(tx),
    )
})

describe('rule 19, rule 43: refresh tokens', () => {
  it('rotate: 100 posts at once get one and the same pair', async () => {
    const { access_token, session_token } = await signIn()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => refreshPair(app, access_token.refresh)),
    )
    expect(new Set(answers.map((pair) => pair?.refresh)).size).toBe(1)
    expect(answers[0]).toBeDefined()
    expect(await findByAccessToken(app, must(answers[0]).access)).toBeDefined()
    expect((await findBySessionToken(app, session_token))?.actor).toBeDefined()
  })
  it('live as long as their session: a day away, and thirteen', async () => {
    const { access_token } = await signIn()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 13 * 86_400_000 })
    try {
      const pair = await refreshPair(app, access_token.refresh)
      expect(await findByAccessToken(app, must(pair).access)).toBeDefined()
      expect((await refreshPair(app, access_token.refresh))?.refresh).toBe(must(pair).refresh)
    } finally {
      vi.useRealTimers()
    }
    await asSystem((tx) =>
      sql`update sessions set written_at = now() - interval '14 days 1 second'`.execute(tx),
    )
    expect(await refreshPair(app, access_token.refresh)).toBeUndefined()
  })
  it('an answer that was lost for long comes with an access token that still serves', async () => {
    const { access_token } = await signIn()
    const lost = await refreshPair(app, access_token.refresh)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    try {
      expect(await findByAccessToken(app, must(lost).access)).toBeUndefined()
      const again = await refreshPair(app, access_token.refresh)
      expect(must(again).refresh).toBe(must(lost).refresh)
      expect(await findByAccessToken(app, must(again).access)).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })
  it('end the session when an old one comes back after its successor was used', async () => {
    const { access_token, session_token } = await signIn()
    const next = await refreshPair(app, access_token.refresh)
    await refreshPair(app, must(next).refresh)
    expect(await refreshPair(app, access_token.refresh)).toBeUndefined()
    expect(await findBySessionToken(app, session_token)).toBeUndefined()
    const { rows } = await app.pool.query(
      `select act from audit where user_id = $1 order by id desc limit 1`,
      [user_id],
    )
    expect(rows[0].act).toBe('session.ended_by_token_reuse')
  })
  it('of before a rotation of the session are dead, and end nothing: their pair was replaced, not copied', async () => {
    const { access_token, actor } = await signIn()
    const used = must(await refreshPair(app, access_token.refresh))
    const rotated = must(await asSystem((tx) => rotateSession(app, tx, actor)))
    for (const old of [access_token.refresh, used.refresh])
      expect(await refreshPair(app, old)).toBeUndefined()
    expect((await findBySessionToken(app, rotated.session_token))?.actor).toBeDefined()
    expect(await refreshPair(app, rotated.access_token.refresh)).toBeDefined()
  })
  it('any order of posts follows the rule (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { minLength: 2, maxLength: 8 }), async (back) => {
        const chain = [(await signIn()).access_token.refresh]
        let alive = true
        for (const steps of back) {
          const place = Math.max(0, chain.length - 1 - steps)
          const pair = await refreshPair(app, must(chain[place]))
          // The newest token gives a new one, the one before it gives the newest again, and any older one ends the session.
          alive &&= place >= chain.length - 2
          if (!alive) expect(pair).toBeUndefined()
          else if (place === chain.length - 1) chain.push(must(pair).refresh)
          else expect(must(pair).refresh).toBe(chain.at(-1))
        }
        expect(new Set(chain).size).toBe(chain.length)
      }),
      { numRuns: 25 },
    )
  })
  it('keep no more than two rows a session, however long it lasts', async () => {
    let refresh = (await signIn()).access_token.refresh
    for (let round = 0; round < 5; round += 1) refresh = must(await refreshPair(app, refresh)).refresh
    const { rows } = await app.pool.query(
      'select count(*)::int as kept from refresh_tokens join sessions on sessions.id = session_id where user_id = $1',
      [user_id],
    )
    expect(rows[0].kept).toBe(2)
  })
})
