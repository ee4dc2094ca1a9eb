import { createSecretKey } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import {
  addMethod,
  createUser,
  devicesOf,
  endSessionsOf,
  findByAccessToken,
  findBySessionToken,
  isRecent,
  saveStepState,
  refreshPair,
  rotateSession,
  startPending,
  startSession,
  sweepSessions,
  consumePending,
  consumeStepState,
} from './session.ts'
import { signToken, verifyToken } from './tokens.ts'

const { app } = await startTestApp()
const from = { ip: '192.0.2.1', user_agent: 'a browser' }
const asSystem = <T>(work: Parameters<typeof transaction<T>>[2]) => transaction(app, 'system', work)
const proof = { method: 'password', at: Date.now() / 1000, email: 'ann@example.com' } as const
let user_id: string
const signIn = () => asSystem((tx) => startSession(app, tx, { user_id, methods: [proof], from }))

const pending = () => ({ user_id, stage: 'mfa_authenticate' as const, email: null, methods: [proof] })

let people = 0
beforeEach(async () => {
  people += 1
  user_id = await asSystem((tx) => createUser(tx, { email: `person-${people}@example.com`, locale: 'en' }))
  await asSystem((tx) =>
    tx.updateTable('users').set({ has_password: true }).where('id', '=', user_id).execute(),
  )
})

describe('a session', () => {
  it('is found by its token and by its access token, and by nothing else', async () => {
    const { session_token, access_token } = await signIn()
    expect((await findBySessionToken(app, session_token))?.actor?.user_id).toBe(user_id)
    expect((await findByAccessToken(app, access_token.access))?.user_id).toBe(user_id)
    expect(await findBySessionToken(app, 'guess')).toBeUndefined()
    expect(await findByAccessToken(app, access_token.refresh)).toBeUndefined()
    expect(await findByAccessToken(app, session_token)).toBeUndefined()
  })
  it('rule 15: is in the database only as hashes', async () => {
    const { session_token, access_token } = await signIn()
    const { rows } = await app.pool.query(
      `select s::text as line from sessions s union all select r::text from refresh_tokens r`,
    )
    const dump = rows.map((row) => row.line).join('\n')
    expect(dump).toContain(hashToken(session_token).toString('hex'))
    for (const secret of [session_token, access_token.access, access_token.refresh])
      expect(dump).not.toContain(secret)
  })
  it('ends 14 days after it was last written', async () => {
    const { session_token } = await signIn()
    await asSystem((tx) =>
      sql`update sessions set written_at = now() - interval '13 days 23 hours'`.execute(tx),
    )
    expect((await findBySessionToken(app, session_token))?.actor).toBeDefined()
    await asSystem((tx) =>
      sql`update sessions set written_at = now() - interval '14 days 1 second'`.execute(tx),
    )
    expect(await findBySessionToken(app, session_token)).toBeUndefined()
    await asSystem((tx) => sweepSessions(app, tx))
    expect(await asSystem((tx) => devicesOf(app, tx, user_id))).toEqual([])
  })
  it('ends 90 days after the sign-in, however active it is', async () => {
    const { session_token, access_token } = await signIn()
    const begun = (ago: string) =>
      asSystem((tx) => sql`update sessions set created_at = now() - ${ago}::interval`.execute(tx))
    await begun('89 days 23 hours')
    expect((await findBySessionToken(app, session_token))?.actor).toBeDefined()
    await begun('90 days 1 second')
    expect(await findBySessionToken(app, session_token)).toBeUndefined()
    expect(await findByAccessToken(app, access_token.access)).toBeUndefined()
    expect(await refreshPair(app, access_token.refresh)).toBeUndefined()
  })
  it('counts as recent for 300 s after the last proof, whether by password or second factor', async () => {
    const { actor, session_token } = await signIn()
    expect(isRecent(app, actor)).toBe(true)
    await asSystem((tx) =>
      sql`update sessions set methods = jsonb_set(methods, '{0,at}', to_jsonb(extract(epoch from now()) - 301))`.execute(
        tx,
      ),
    )
    const stale = must(must(await findBySessionToken(app, session_token)).actor)
    expect(isRecent(app, stale)).toBe(false)
    await asSystem((tx) =>
      addMethod(tx, stale.session_id, { method: 'mfa', at: Date.now() / 1000, type: 'totp' }),
    )
    expect(isRecent(app, must(must(await findBySessionToken(app, session_token)).actor))).toBe(true)
    expect(isRecent(app, { ...stale, methods: [] })).toBe(false)
    expect(isRecent(app, { ...stale, methods: [], has_password: false, factors: [] })).toBe(true)
  })
  it('rule 5: of somebody deactivated is nobody, at the next call', async () => {
    const { session_token, access_token } = await signIn()
    await asSystem((tx) =>
      tx.updateTable('users').set({ is_active: false }).where('id', '=', user_id).execute(),
    )
    expect(await findBySessionToken(app, session_token)).toEqual({})
    expect(await findByAccessToken(app, access_token.access)).toBeUndefined()
    expect(await refreshPair(app, access_token.refresh)).toBeUndefined()
  })
  it('when rotated, leaves nothing of before alive', async () => {
    const before = await signIn()
    const after = await asSystem((tx) => rotateSession(app, tx, before.actor))
    expect(await findBySessionToken(app, before.session_token)).toBeUndefined()
    expect(await findByAccessToken(app, before.access_token.access)).toBeUndefined()
    expect(await refreshPair(app, before.access_token.refresh)).toBeUndefined()
    expect((await findBySessionToken(app, must(after).session_token))?.actor?.session_id).toBe(
      before.actor.session_id,
    )
    expect(await findByAccessToken(app, must(after).access_token.access)).toBeDefined()
  })
  it('ends together with the other sessions of its user, unless it is the one to keep', async () => {
    const [first, second] = [await signIn(), await signIn()]
    await asSystem((tx) => endSessionsOf(tx, user_id, first.actor.session_id))
    expect((await findBySessionToken(app, first.session_token))?.actor).toBeDefined()
    expect(await findBySessionToken(app, second.session_token)).toBeUndefined()
    expect(await refreshPair(app, second.access_token.refresh)).toBeUndefined()
  })
  it('keeps the state that one step saves for the next, and gives it to one of 20 concurrent reads', async () => {
    const { actor } = await signIn()
    await asSystem((tx) => saveStepState(tx, actor.session_id, { challenge: 'abc', other: 1 }))
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => asSystem((tx) => consumeStepState(tx, actor.session_id, 'challenge'))),
    )
    expect(taken.filter((value) => value === 'abc')).toHaveLength(1)
    expect(taken.filter((value) => value === undefined)).toHaveLength(19)
  })
})

describe('tokens', () => {
  it('carry the claims of the contract', async () => {
    const { access_token, actor } = await signIn()
    const claims = decodeJwt(access_token.access)
    expect(claims).toMatchObject({ sub: user_id, sid: `${actor.session_id}.1`, token_use: 'access' })
    expect(must(claims.exp) - must(claims.iat)).toBe(300)
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(decodeJwt(access_token.refresh)).toMatchObject({ token_use: 'refresh' })
  })
  it('of another key, another algorithm or another time are worth nothing', async () => {
    const claims = { user_id, session_id: 1n, generation: 1 }
    expect(
      verifyToken(
        { ...app, keys: { ...app.keys, tokens: createSecretKey(new Uint8Array(32)) } },
        'access',
        await signToken(app, 'access', claims),
      ),
    ).toBeUndefined()
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"sub":"${user_id}","sid":"1.1","token_use":"access"}`).toString('base64url')}.`
    expect(verifyToken(app, 'access', unsigned)).toBeUndefined()
    const old = await signToken(app, 'access', claims, { expires_at: new Date(Date.now() - 1000) })
    expect(verifyToken(app, 'access', old)).toBeUndefined()
    const other = await new SignJWT({ sid: '1.1', token_use: 'access' })
      .setProtectedHeader({ alg: 'HS512' })
      .setSubject(user_id)
      .sign(app.keys.tokens)
    expect(verifyToken(app, 'access', other)).toBeUndefined()
  })
  it('that were right before are worth nothing changed, for another use, by other keys, or once they are over', async () => {
    const claims = { user_id, session_id: 1n, generation: 1 }
    const expires_at = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000)
    const token = await signToken(app, 'access', claims, { expires_at })
    for (const _ of [1, 2]) expect(verifyToken(app, 'access', token)).toEqual(claims)
    expect(verifyToken(app, 'refresh', token)).toBeUndefined()
    for (const place of [token.indexOf('.') + 1, token.lastIndexOf('.') + 1]) {
      const letter = token[place] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, place) + letter + token.slice(place + 1)
      expect(verifyToken(app, 'access', changed)).toBeUndefined()
    }
    const keys = { ...app.keys, tokens: createSecretKey(new Uint8Array(32)) }
    expect(verifyToken({ ...app, keys }, 'access', token)).toBeUndefined()
    vi.setSystemTime(expires_at)
    expect(verifyToken(app, 'access', token)).toBeUndefined()
    vi.useRealTimers()
  })
})

describe('rule 16: a half-finished login', () => {
  it('is no session, and its token opens none', async () => {
    const token = await asSystem((tx) => startPending(tx, undefined, pending()))
    const found = await findBySessionToken(app, must(token))
    expect([found?.actor, found?.pending?.stage]).toEqual([undefined, 'mfa_authenticate'])
  })
  it('starts over under the same token, and is taken once', async () => {
    const token = await asSystem((tx) => startPending(tx, undefined, pending()))
    const { pending: found } = must(await findBySessionToken(app, must(token)))
    expect(await asSystem((tx) => startPending(tx, found, pending()))).toBeUndefined()
    const taken = await Promise.all(
      Array.from({ length: 30 }, () => asSystem((tx) => consumePending(tx, must(found)))),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await findBySessionToken(app, must(token))).toBeUndefined()
  })
  it('loses its stage after 900 s or when its user is deactivated', async () => {
    const token = await asSystem((tx) => startPending(tx, undefined, pending()))
    await asSystem((tx) =>
      sql`update pending_logins set stage_at = now() - interval '901 seconds'`.execute(tx),
    )
    expect((await findBySessionToken(app, must(token)))?.pending?.stage).toBe('none')
    await asSystem((tx) => sql`update pending_logins set stage_at = now()`.execute(tx))
    await asSystem((tx) =>
      tx.updateTable('users').set({ is_active: false }).where('id', '=', user_id).execute(),
    )
    expect((await findBySessionToken(app, must(token)))?.pending?.stage).toBe('none')
  })
})
