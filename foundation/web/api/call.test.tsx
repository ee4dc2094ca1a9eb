import * as z from 'zod/mini'
import { beforeEach, describe, expect, it } from 'vitest'
import { route } from '#foundation/contract.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { call } from './call.ts'
import { onAuthError } from './events.ts'
import { clearSession, isSignedIn, onSignedInChange, seeSession, storedSession } from './stored-session.ts'

const AUTH = '/api/allauth/app/v1'
const detail = route({
  id: 'detail',
  tag: 'Servers',
  method: 'GET',
  path: '/api/thing/{id}/',
  access: { who: 'customer' },
  summary: '',
  params: z.object({ id: z.string() }),
  query: z.object({ q: z.optional(z.string()) }),
  replies: { 200: z.object({ name: z.string() }) },
})
const plain = route({
  id: 'plain',
  tag: 'Servers',
  method: 'GET',
  path: '/api/plain/',
  access: { who: 'customer' },
  summary: '',
  replies: { 200: z.object({}) },
})
const change = route({
  id: 'change',
  tag: 'Servers',
  method: 'PATCH',
  path: '/api/thing/{id}/',
  access: { who: 'customer' },
  summary: '',
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string() }),
  replies: { 200: z.object({ name: z.string() }) },
})
const login = route({
  id: 'login',
  tag: 'Servers',
  method: 'POST',
  path: `${AUTH}/auth/login`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: '',
  body: z.object({ email: z.string() }),
  replies: { 200: z.object({}), 401: z.object({}) },
})
const session = route({
  id: 'session',
  tag: 'Servers',
  method: 'GET',
  path: `${AUTH}/auth/session`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: '',
  replies: { 200: z.object({}) },
})

const encode = (claims: object) => btoa(JSON.stringify(claims)).replaceAll('=', '')
const tokenFor = (lifetime_s: number, name = 'a') =>
  `${encode({})}.${encode({ exp: Date.now() / 1000 + lifetime_s, name })}.s`
const signIn = (access = tokenFor(300)) => {
  localStorage.setItem('access_token', access)
  localStorage.setItem('refresh_token', 'refresh-1')
}
const refreshed = (access: string) => ({
  status: 200,
  body: { status: 200, data: { access_token: access, refresh_token: 'refresh-2' } },
})
const REFRESH = `POST ${AUTH}/tokens/refresh`
const paths = async () => (await requests()).map(({ method, path }) => `${method} ${path}`)

describe('call', () => {
  beforeEach(async () => {
    clearSession(seeSession())
    localStorage.clear()
    document.cookie = 'csrftoken=; max-age=0'
    await resetWire()
  })

  it('sends the changes of one record in the order in which they were made, even after a change that failed', async () => {
    signIn()
    const slow = { body: {}, hold_ms: 150 }
    await reply(
      'PATCH /api/thing/a/',
      { status: 200, ...slow },
      { status: 500, ...slow },
      { status: 200, body: {} },
    )
    await reply('PATCH /api/thing/b/', { status: 200, body: {} })
    const answered: string[] = []
    const to = async (id: string, name: string) => {
      const { status } = await call(change, { params: { id }, body: { name } })
      answered.push(`${name} ${status}`)
    }
    await Promise.all([to('a', 'first'), to('a', 'second'), to('a', 'third'), to('b', 'another')])
    // The change of thing b waits for no change of thing a.
    expect(answered.slice(0, 2)).toEqual(['another 200', 'first 200'])
    expect(answered.slice(2).toSorted()).toEqual(['second 500', 'third 200'])
    const sent = (await requests()).filter(({ path }) => path === '/api/thing/a/')
    expect(sent.map(({ body }) => body)).toEqual(
      ['first', 'second', 'third'].map((name) => JSON.stringify({ name })),
    )
  })

  it('A-12 marks each request as XHR, with CSRF, bearer and cookies where there are any', async () => {
    await reply('GET /api/plain/', { status: 200, body: {} })
    await call(plain)
    document.cookie = 'csrftoken=t0k%20en'
    signIn()
    localStorage.setItem('session_token', 'session-1')
    await call(plain)
    const [first, second] = await requests()
    expect(first?.headers['x-requested-with']).toBe('XMLHttpRequest')
    expect(first?.headers['x-csrftoken']).toBeUndefined()
    expect(first?.headers['authorization']).toBeUndefined()
    expect(second?.headers['x-csrftoken']).toBe('t0k en')
    expect(second?.headers['authorization']).toBe(`Bearer ${storedSession.accessToken()}`)
    expect(second?.headers['cookie']).toContain('csrftoken=')
    expect(second?.headers['x-session-token']).toBeUndefined()
  })

  it('A-12 sends the session token on all account calls once held', async () => {
    localStorage.setItem('session_token', 'session-1')
    await reply(`GET ${AUTH}/auth/session`, { status: 200, body: { status: 200 } })
    await call(session)
    expect((await requests())[0]?.headers['x-session-token']).toBe('session-1')
  })

  it('fills parameters and query into the address', async () => {
    await reply('GET /api/thing/a%2Fb/', { status: 200, body: { name: 'n' } })
    const answer = await call(detail, { params: { id: 'a/b' }, query: { q: 'x y' } })
    expect(await paths()).toEqual(['GET /api/thing/a%2Fb/?q=x+y'])
    if (answer.status === 200) expect(answer.body.name).toBe('n')
    expect(answer.status).toBe(200)
  })

  it('A-01 A-03 stores every token that an account call hands out, on any status', async () => {
    await reply(
      `POST ${AUTH}/auth/login`,
      {
        status: 401,
        body: { status: 401, data: { flows: [] }, meta: { is_authenticated: false, session_token: 's1' } },
      },
      {
        status: 200,
        body: {
          status: 200,
          data: { user: { id: '7', display: 'Ann' } },
          meta: {
            is_authenticated: true,
            session_token: 's2',
            access_token: { access: 'acc', refresh: 'ref' },
          },
        },
      },
    )
    const told: boolean[] = []
    const stop = onSignedInChange((signedIn) => told.push(signedIn))
    const first = await call(login, { body: { email: 'a' } })
    expect(first.status).toBe(401)
    expect([storedSession.sessionToken(), isSignedIn()]).toEqual(['s1', false])
    await call(login, { body: { email: 'a' } })
    expect(localStorage).toMatchObject({ session_token: 's2', access_token: 'acc', refresh_token: 'ref' })
    expect(storedSession.user()).toEqual({ id: '7', display: 'Ann' })
    clearSession(seeSession())
    expect(
      ['user', 'access_token', 'refresh_token', 'session_token'].map((key) => localStorage.getItem(key)),
    ).toEqual([null, null, null, null])
    expect(told).toEqual([true, false])
    stop()
  })

  describe.each(['rotates', 'ends', 'begins'] as const)(
    'rule 57: another call %s the session meanwhile',
    (how) => {
      const late = { status: 200, data: { user: { id: '7', display: 'Ann' } } }
      const meta = {
        is_authenticated: true,
        session_token: 'late',
        access_token: { access: 'a', refresh: 'r' },
      }
      it.each([
        ['a sign-in', { status: 200, body: { ...late, meta } }],
        ['a pending step', { status: 401, body: { status: 401, meta: { session_token: 'late' } } }],
        ['a dead session', { status: 410, body: { status: 410 } }],
      ])('the late answer of %s stores nothing', async (_what, answer) => {
        const before = how === 'begins' ? null : 'seen'
        if (before) localStorage.setItem('session_token', before)
        await reply(`POST ${AUTH}/auth/login`, { ...answer, hold_ms: 500 })
        const calling = call(login, { body: { email: 'a' } })
        await expect.poll(async () => (await requests()).length).toBe(1)
        if (how === 'ends') clearSession(seeSession())
        else localStorage.setItem('session_token', 'newer')
        const present = { ...localStorage }
        expect((await calling).status).toBe(answer.status)
        expect({ ...localStorage }).toEqual(present)
        expect(isSignedIn()).toBe(false)
      })
    },
  )

  it('rule 57: a call is sent in the name of the person who made it, and of nobody else', async () => {
    const as = (id: string) => {
      signIn(tokenFor(300, id))
      localStorage.setItem('user', JSON.stringify({ id, display: id }))
    }
    let told = 0
    const stop = onAuthError(() => (told += 1))
    as('first')
    const params = { id: 'a' }
    await reply('PATCH /api/thing/a/', { status: 401, hold_ms: 1_000 }, { status: 200, body: {} })
    await reply(REFRESH, { status: 400, body: { status: 400 } })
    const refused = call(change, { params, body: { name: 'refused' } })
    const waiting = call(change, { params, body: { name: 'waiting' } })
    await expect.poll(paths).toEqual(['PATCH /api/thing/a/'])
    as('second')
    const present = { ...localStorage }
    expect(await refused).toMatchObject({ status: 401 })
    expect(await waiting).toMatchObject({ status: 0, errors: [{ code: 'session_ended' }] })
    expect(await paths()).toEqual(['PATCH /api/thing/a/'])
    expect(told, 'the second person has a session').toBe(0)
    expect({ ...localStorage }).toMatchObject(present)
    stop()
  })

  it('rule 57: an answer ends the session that its call saw or has stored, and no later one', async () => {
    await reply(`GET ${AUTH}/auth/session`, {
      status: 401,
      body: { status: 401, meta: { session_token: 'of the answer' } },
    })
    const first = await call(session)
    clearSession(first.seen.session)
    expect(storedSession.sessionToken()).toBeNull()
    const second = await call(session)
    localStorage.setItem('session_token', 'of another')
    clearSession(second.seen.session)
    expect(storedSession.sessionToken()).toBe('of another')
  })

  it('rule 57: a call with a token of its own leaves the stored one, in both orders, until it signs in', async () => {
    const challenge = { status: 200, body: { status: 200, meta: { session_token: 'challenge' } } }
    const step = { status: 401, body: { status: 401, meta: { session_token: 'step' } } }
    for (const [first, second] of [
      [0, 100],
      [100, 0],
    ] as const) {
      localStorage.clear()
      await resetWire()
      await reply(`GET ${AUTH}/auth/session`, { ...challenge, hold_ms: first })
      await reply(`POST ${AUTH}/auth/login`, { ...step, hold_ms: second })
      await Promise.all([call(session, {}, { sessionToken: null }), call(login, { body: { email: 'a' } })])
      expect(storedSession.sessionToken()).toBe('step')
    }
  })

  it('drops the session token on a 410', async () => {
    localStorage.setItem('session_token', 'dead')
    await reply(`GET ${AUTH}/auth/session`, { status: 410, body: { status: 410 } })
    expect((await call(session)).status).toBe(410)
    expect(storedSession.sessionToken()).toBeNull()
  })

  it('A-10 renews a refused token once and calls again, without a word', async () => {
    signIn()
    const renewed = tokenFor(300, 'b')
    await reply('GET /api/plain/', { status: 401 }, { status: 200, body: {} })
    await reply(REFRESH, refreshed(renewed))
    expect((await call(plain)).status).toBe(200)
    expect(await paths()).toEqual(['GET /api/plain/', REFRESH, 'GET /api/plain/'])
    expect(storedSession.accessToken()).toBe(renewed)
    expect(storedSession.refreshToken()).toBe('refresh-2')
  })

  it('A-10 reports the end of the session once the refresh is refused, not on an account call', async () => {
    let told = 0
    const stop = onAuthError(() => (told += 1))
    signIn()
    await reply(REFRESH, { status: 400, body: { status: 400 } })
    await reply('GET /api/plain/', { status: 401 })
    await reply(`GET ${AUTH}/auth/session`, { status: 401, body: { status: 401 } })
    expect((await call(session)).status).toBe(401)
    expect(told).toBe(0)
    const answer = await call(plain)
    expect(answer.status).toBe(401)
    expect(answer.errors[0]?.code).toBe('not_authenticated')
    expect(told).toBe(1)
    stop()
  })

  it('A-10 does not end the session when the refresh cannot be reached or fails, and says which', async () => {
    let told = 0
    const stop = onAuthError(() => (told += 1))
    signIn()
    await reply(REFRESH, { status: 0 })
    await reply('GET /api/plain/', { status: 401 })
    expect(await call(plain)).toMatchObject({ status: 0, errors: [{ code: 'network' }] })
    // A server that failed was reached: its answer is shown, with the number of the request.
    await reply(REFRESH, { status: 500, headers: { 'X-Request-Id': 'req-5' } })
    const failed = { status: 500, errors: [{ code: 'server_error' }], requestId: 'req-5' }
    expect(await call(plain)).toMatchObject(failed)
    expect([told, isSignedIn()]).toEqual([0, true])
    stop()
  })

  it('rule 43: a reply that was lost is asked for again with the same token', async () => {
    let told = 0
    const stop = onAuthError(() => (told += 1))
    signIn(tokenFor(-86_400))
    await reply(REFRESH, { status: 0 }, refreshed(tokenFor(300, 'b')))
    await reply('GET /api/plain/', { status: 401 }, { status: 200, body: {} })
    await call(plain)
    expect((await call(plain)).status).toBe(200)
    const bodies = (await requests()).filter(({ path }) => path.endsWith('/refresh')).map(({ body }) => body)
    const same = JSON.stringify({ refresh_token: 'refresh-1' })
    expect(bodies.slice(0, 2)).toEqual([same, same])
    expect([told, storedSession.refreshToken()]).toEqual([0, 'refresh-2'])
    stop()
  })

  it('rule 43: a tab without the lock takes the newer pair of another, whatever it was answered', async () => {
    let told = 0
    const stop = onAuthError(() => (told += 1))
    signIn(tokenFor(10))
    await reply(REFRESH, { status: 400, body: { status: 400 }, hold_ms: 1_000 })
    await reply('GET /api/plain/', { status: 200, body: {} })
    const answer = call(plain)
    await expect.poll(paths).toEqual([REFRESH])
    localStorage.setItem('access_token', tokenFor(300, 'theirs'))
    localStorage.setItem('refresh_token', 'refresh-9')
    expect((await answer).status).toBe(200)
    expect([told, storedSession.refreshToken()]).toEqual([0, 'refresh-9'])
    stop()
  })

  it('P-01 lets a 401 be an answer where it is expected', async () => {
    signIn()
    await reply('GET /api/plain/', { status: 401 })
    expect((await call(plain, {}, { expects401: true })).status).toBe(401)
    expect(await paths()).toEqual(['GET /api/plain/'])
  })

  it('renews ahead of the end, and once for many calls', async () => {
    signIn(tokenFor(10))
    await reply('GET /api/plain/', { status: 200, body: {} })
    await reply(REFRESH, { ...refreshed(tokenFor(300, 'b')), hold_ms: 50 })
    await Promise.all([call(plain), call(plain), call(plain), call(plain)])
    expect((await paths()).filter((path) => path === REFRESH)).toHaveLength(1)
  })

  it('takes the pair that another tab has fetched meanwhile', async () => {
    signIn(tokenFor(10))
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const other = frame.contentWindow
    if (!other) throw new Error('no frame')
    // The other tab holds the lock and stores a new pair before it lets go.
    const letGo = await new Promise<() => void>((held) => {
      void other.navigator.locks.request(
        'refresh_token',
        () => new Promise<void>((done) => held(() => done())),
      )
    })
    await reply('GET /api/plain/', { status: 200, body: {} })
    const answer = call(plain)
    await expect.poll(async () => (await navigator.locks.query()).pending?.length).toBe(1)
    other.localStorage.setItem('access_token', tokenFor(300, 'theirs'))
    letGo()
    await answer
    expect(await paths()).toEqual(['GET /api/plain/'])
    expect((await requests())[0]?.headers['authorization']).toBe(`Bearer ${storedSession.accessToken()}`)
    frame.remove()
  })

  it('A-01 signs out with another tab', async () => {
    signIn()
    clearSession(seeSession())
    signIn()
    await reply(`POST ${AUTH}/auth/login`, {
      status: 200,
      body: { meta: { access_token: { access: 'x', refresh: 'y' } } },
    })
    localStorage.removeItem('access_token')
    await call(login, { body: { email: 'a' } })
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const told: boolean[] = []
    const stop = onSignedInChange((signedIn) => told.push(signedIn))
    frame.contentWindow?.localStorage.removeItem('access_token')
    await expect.poll(() => told).toEqual([false])
    stop()
    frame.remove()
  })

  it('A-13 takes a 206 for an error with the embedded code and message', async () => {
    await reply('GET /api/plain/', { status: 206, body: { code: 'half_done', message: 'Only half of it' } })
    const answer = await call(plain)
    expect(answer.status).toBe(206)
    expect(answer.errors).toEqual([{ code: 'half_done', message: 'Only half of it' }])
    await reply('GET /api/plain/', { status: 206, body: { errors: { code: 'inner', message: 'm' } } })
    expect((await call(plain)).errors).toEqual([{ code: 'inner', message: 'm' }])
  })

  it('never rejects: no network is status 0, a proxy’s page is its status', async () => {
    await reply('GET /api/plain/', { status: 0 })
    const gone = await call(plain)
    expect([gone.status, gone.errors[0]?.code]).toEqual([0, 'network'])
    await reply('GET /api/plain/', { status: 502, body: '<html>' })
    const proxied = await call(plain)
    expect([proxied.status, proxied.errors[0]?.code, proxied.requestId]).toEqual([
      502,
      'unavailable',
      'request-1',
    ])
  })
})
