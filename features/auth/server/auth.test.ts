import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

it('returns what the installation offers', async () => {
  const reply = await client().call(contract.getConfig, {})
  expect(reply.body.data).toEqual({
    account: {
      authentication_method: 'email',
      login_methods: ['email'],
      is_open_for_signup: true,
      email_verification_by_code_enabled: false,
      login_by_code_enabled: false,
      password_reset_by_code_enabled: false,
    },
    mfa: { supported_types: ['recovery_codes', 'totp', 'webauthn'], passkey_login_enabled: true },
    usersessions: { track_activity: false },
  })
})

it('returns who is signed in, without tokens', async () => {
  const browser = client()
  const anonymous = await browser.call(contract.getSession, {})
  expect(anonymous.body).toEqual({
    status: 401,
    data: { flows: [{ id: 'login' }, { id: 'signup' }, { id: 'mfa_login_webauthn' }] },
    meta: { is_authenticated: false },
  })
  const account = await makeAccount(app)
  await signIn(browser, account)
  const reply = await browser.call(contract.getSession, {})
  expect(reply.body).toMatchObject({
    status: 200,
    data: {
      user: { id: account.user_id, display: account.email, email: account.email, has_usable_password: true },
      methods: [{ method: 'password', email: account.email }],
    },
  })
  expect(reply.body.meta).toEqual({ is_authenticated: true })
})

it('A-07 signing out answers 401, and all that was issued is dead', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  const { access_token, refresh_token } = browser
  const reply = await browser.call(contract.signOut, {})
  expect(reply).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
  expect((await browser.call(contract.getSession, {})).status).toBe(410)
  expect((await client().call(contract.getSession, {}, { access_token: must(access_token) })).status).toBe(
    401,
  )
  const refreshed = await client().post(`${AUTH}/tokens/refresh`, { refresh_token })
  expect(refreshed).toMatchObject({ status: 400, body: { status: 400 } })
  const again = await browser.call(contract.signOut, {})
  expect(again.status, 'a dead token is told, also here (D15)').toBe(410)
})

it('A-07 signs out by the access token alone, and without any token', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  const reply = await browser.call(contract.signOut, {}, { session_token: null })
  expect(reply.status).toBe(401)
  expect((await browser.call(contract.getSession, {})).status).toBe(410)
  expect((await client().call(contract.signOut, {})).status).toBe(401)
})

it('a session token that is sent decides alone', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  const reply = await browser.call(contract.getSession, {}, { session_token: 'nothing' })
  expect(reply.status, 'also with a good access token beside').toBe(410)
  const dead = { session_token: 'nothing' }
  expect((await browser.get(`${AUTH}/config`, dead)).status).toBe(410)
  expect((await browser.post(`${AUTH}/auth/login`, {}, dead)).status).toBe(410)
  expect((await browser.post(`${AUTH}/auth/signup`, {}, dead)).status).toBe(410)
})

it('answers sign-in routes that are not offered with 404 or 409, and a wrong HTTP method with 405 and the allowed one', async () => {
  const browser = client()
  expect((await browser.post(`${AUTH}/auth/code/request`, { email: 'a@example.com' })).body).toEqual({
    status: 404,
  })
  expect((await browser.post(`${AUTH}/auth/code/confirm`, { code: 'x' })).body).toEqual({ status: 409 })
  expect((await browser.post(`${AUTH}/auth/code/resend`)).body).toEqual({ status: 409 })
  expect((await browser.post(`${AUTH}/auth/2fa/trust`, {})).body).toEqual({ status: 404 })
  const wrong = await browser.put(`${AUTH}/auth/login`, {})
  expect(wrong).toMatchObject({ status: 405, body: { status: 405 } })
  expect(wrong.headers.get('allow')).toBe('POST')
})

it('refuses a body that is not a JSON object, and ignores unknown fields', async () => {
  const browser = client()
  for (const body of ['{', '[]', '"text"', '5']) {
    expect((await browser.post(`${AUTH}/auth/login`, body)).status, body).toBe(400)
  }
  for (const body of [undefined, 'null', '{}']) {
    const reply = await browser.post<{ errors: object[] }>(`${AUTH}/auth/login`, body)
    expect(reply.body.errors).toMatchObject([
      { code: 'required', param: 'email' },
      { code: 'required', param: 'password' },
    ])
  }
  const { email } = await makeAccount(app)
  const reply = await browser.post(`${AUTH}/auth/login`, {
    email: ` ${email.toUpperCase()} `,
    password: ` ${password} `,
    next: '/',
  })
  expect(reply.status, 'e-mail and password are trimmed').toBe(200)
})
