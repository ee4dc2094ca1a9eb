import { expect, it } from 'vitest'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { keyIn, makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp()
const open = await startTestApp({ settings: { EMAIL_VERIFICATION: 'none' } })
const closed = await startTestApp({ settings: { SIGNUP_OPEN: 'off' } })

const form = (email: string, repeat_password = password) => ({ body: { email, password, repeat_password } })
type ErrorReply = { errors: { code: string; param?: string }[] }
const blank = (reply: { body: unknown }) =>
  JSON.stringify(reply.body).replaceAll(/"session_token":"[^"]+"/g, '')
const codesOf = (reply: { body: unknown }) =>
  (reply.body as ErrorReply).errors.map(({ code, param }) => `${code}@${param}`)

const post = async (body: object) => codesOf(await client().post(`${AUTH}/auth/signup`, body))

it('A-04 signing up leads to the proof of the address, and then to signing in', async () => {
  const browser = client()
  const reply = await browser.call(contract.signup, form('New.Customer@Example.com'))
  expect(reply).toMatchObject({
    status: 401,
    body: {
      data: { flows: expect.arrayContaining([{ id: 'verify_email', is_pending: true }]) },
      meta: { is_authenticated: false, session_token: expect.any(String) },
    },
  })
  const mail = await mails.next('new.customer@example.com')
  const key = keyIn(mail.text, 'verify')
  expect(
    (await browser.call(contract.inspectVerification, { headers: { 'x-email-verification-key': key } })).body,
  ).toMatchObject({
    data: { email: 'new.customer@example.com', user: { display: 'new.customer@example.com' } },
    meta: { is_authenticating: true },
  })
  const proven = await browser.call(contract.verifyEmail, { body: { key } })
  expect(proven).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
  expect(JSON.stringify(proven.body)).not.toContain('is_pending')
  const session = await browser.call(contract.getSession, {})
  expect(session.status, 'the token is still good, but nothing is pending').toBe(401)
  expect(JSON.stringify(session.body)).not.toContain('is_pending')
  const login = await browser.call(contract.login, { body: { email: 'new.customer@example.com', password } })
  expect(login.status).toBe(200)
})

it('writes in the language of the person who signs up', async () => {
  await client().call(contract.signup, form('neu@example.com'), {
    headers: { 'accept-language': 'de-AT,de;q=0.9' },
  })
  expect((await mails.next('neu@example.com')).html).toContain('lang="de"')
})

it('V-02 refuses poor passwords, each error at its field, together with other errors', async () => {
  expect(await post({ email: 'x', password: '1234567', repeat_password: '1234567' })).toEqual([
    'invalid@email',
    'password_too_short@password',
    'password_too_common@password',
    'password_entirely_numeric@password',
  ])
  expect(await post({ email: 'wonderland@example.com', password: 'wonderland1' }), 'D3').toEqual([
    'password_too_similar@password',
  ])
  expect(await post({ email: 'a@example.com', password, repeat_password: 'lively-otter-43' }), 'D2').toEqual([
    'password_mismatch@repeat_password',
  ])
  expect(await post({ email: 'a@example.com', repeat_password: password })).toEqual(['required@password'])
  expect(await post({ email: `${'a'.repeat(250)}@example.com`, password: 'x'.repeat(1025) }), 'D10').toEqual([
    'max_length@email',
    'max_length@password',
  ])
  expect(await post({ email: 'a\0@example.com', password: `${password}\0` })).toEqual([
    'null_characters_not_allowed@email',
    'null_characters_not_allowed@password',
  ])
})

it('a stock client that sends no repetition may sign up', async () => {
  const reply = await client().post(`${AUTH}/auth/signup`, { email: 'stock@example.com', password })
  expect(reply.status).toBe(401)
})

it('a taken address gets the same answer and no account, and its owner gets a mail', async () => {
  const { email } = await makeAccount(app)
  const fresh = await client().call(contract.signup, form('fresh@example.com'))
  const browser = client()
  const taken = await browser.call(contract.signup, form(email))
  expect(taken.status).toBe(fresh.status)
  expect(blank(taken)).toBe(blank(fresh))
  expect((await browser.call(contract.getSession, {})).body).toMatchObject({
    data: { flows: expect.arrayContaining([{ id: 'verify_email', is_pending: true }]) },
  })
  const mail = await mails.next(email)
  expect(mail.text).toContain('you already have one')
  expect(mail.text).not.toContain('verify=')
  const owners = await app.db.selectFrom('email_addresses').select('id').where('email', '=', email).execute()
  expect(owners).toHaveLength(1)
  const again = await browser.call(contract.resendVerification, {})
  expect(again.status).toBe(200)
  expect((await mails.next(email)).text).toContain('you already have one')
})

it('a double click makes one account', async () => {
  const email = 'eager@example.com'
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => client().call(contract.signup, form(email))),
  )
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
  const accounts = await app.db.selectFrom('users').select('id').where('email', '=', email).execute()
  expect(accounts).toHaveLength(1)
})

it('a signed-in caller gets 409; with sign-up closed everyone gets 403', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  expect((await browser.call(contract.signup, form('other@example.com'))).body).toEqual({ status: 409 })
  expect((await closed.client().call(contract.signup, form('other@example.com'))).body).toEqual({
    status: 403,
  })
  const poor = await closed.client().post(`${AUTH}/auth/signup`, {})
  expect(poor.status, 'input is judged first').toBe(400)
  expect((await closed.client().call(contract.getSession, {})).body).toMatchObject({
    data: { flows: [{ id: 'login' }, { id: 'mfa_login_webauthn' }] },
  })
})

it('without mandatory proof signs in at once, and reports that an address is taken', async () => {
  const browser = open.client()
  const reply = await browser.call(contract.signup, form('quick@example.com'))
  expect(reply).toMatchObject({
    status: 200,
    body: { data: { methods: [] }, meta: { session_token: expect.any(String), access_token: {} } },
  })
  expect((await browser.get('/api/users/detail/')).status).toBe(200)
  expect(codesOf(await open.client().call(contract.signup, form('quick@example.com')))).toEqual([
    'email_taken@email',
  ])
})

it('the confirmation is sent again at most every 180 s, and only while it is pending', async () => {
  const browser = strict.client()
  expect((await browser.call(contract.resendVerification, {})).body).toEqual({ status: 409 })
  await browser.call(contract.signup, form('slow@example.com'))
  await strict.mails.next('slow@example.com')
  const soon = await browser.call(contract.resendVerification, {})
  expect(soon).toMatchObject({ status: 429, body: { status: 429 } })
  expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0)
  await strict.app.db.deleteFrom('attempts').execute()
  expect((await browser.call(contract.resendVerification, {})).body).toEqual({ status: 200 })
  expect(keyIn((await strict.mails.next('slow@example.com')).text, 'verify')).not.toBe('')
})

it('more than 20 posts a minute from one address answer 429, wrong ones counted', async () => {
  const replies = await Promise.all(
    Array.from({ length: 22 }, () => strict.client().post(`${AUTH}/auth/signup`, {})),
  )
  expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThanOrEqual(2)
})
