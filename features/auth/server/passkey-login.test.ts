import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { printMetrics } from '#foundation/server/operation/metrics.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { makeAccount, password, signIn, type Account } from '#tests/contract/accounts.ts'
import { SoftwarePasskey } from '#tests/contract/software-passkey.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const without = await startTestApp({ settings: { PASSKEYS: 'off' } })

type ErrorReply = { errors: { code: string; param?: string }[] }
const codesOf = (reply: { body: unknown }) =>
  (reply.body as ErrorReply).errors.map(({ code, param }) => `${code}@${param}`)
type Creation = { data: { creation_options: { publicKey: { challenge: string } } } }

async function refusedPasskeys(): Promise<number> {
  const line = /^hostdesk_sign_ins_refused_total\{act="passkey\.refused"\} (\d+)$/m
  return Number(line.exec(await printMetrics())?.[1] ?? 0)
}

async function addPasskey(account: Account, { passwordless = false } = {}): Promise<SoftwarePasskey> {
  const browser = client()
  await signIn(browser, account)
  const path = `${AUTH}/account/authenticators/webauthn`
  const { body } = await browser.get<Creation>(path + (passwordless ? '?passwordless' : ''))
  const passkey = new SoftwarePasskey()
  const credential = passkey.register(body.data.creation_options.publicKey)
  expect((await browser.post(path, { name: 'Key', credential })).status).toBe(200)
  return passkey
}

const optionsOf = (reply: { body: { data?: { request_options: { publicKey: object } } } }) =>
  must(reply.body.data).request_options.publicKey as { challenge: string }

it('signs in by passkey alone, without password and second step', async () => {
  const account = await makeAccount(app)
  const passkey = await addPasskey(account, { passwordless: true })
  const browser = client()
  const asked = await browser.call(contract.getPasskeyLogin, {})
  expect(asked).toMatchObject({ status: 200, body: { meta: { session_token: expect.any(String) } } })
  const anonymous = must(browser.session_token)
  const credential = passkey.answer(optionsOf(asked as never))
  const reply = await browser.call(contract.loginByPasskey, { body: { credential } })
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: {
        user: { id: account.user_id },
        methods: [{ method: 'mfa', type: 'webauthn', passwordless: true }],
      },
      meta: { session_token: expect.any(String), access_token: {} },
    },
  })
  expect(browser.session_token).not.toBe(anonymous)
  const replayed = await client().call(
    contract.loginByPasskey,
    { body: { credential } },
    { session_token: anonymous },
  )
  expect(replayed.status, 'the challenge is used up').toBe(410)
})

it('refuses an answer to another challenge, of another key, from another page, and nonsense', async () => {
  const account = await makeAccount(app)
  const passkey = await addPasskey(account, { passwordless: true })
  const browser = client()
  const options = optionsOf((await browser.call(contract.getPasskeyLogin, {})) as never)
  const other = new SoftwarePasskey()
  const before = await refusedPasskeys()
  for (const credential of [
    passkey.answer({ challenge: 'AAAA' }),
    other.answer(options),
    passkey.answer(options, 'https://phishing.example'),
  ]) {
    expect(codesOf(await browser.call(contract.loginByPasskey, { body: { credential } }))).toEqual([
      'incorrect_code@credential',
    ])
  }
  expect((await refusedPasskeys()) - before, 'counted for the operator').toBe(3)
  for (const [body, code] of [
    [{}, 'required@credential'],
    [{ credential: 'text' }, 'invalid@credential'],
    [{ credential: { id: 5 } }, 'invalid@credential'],
  ] as const) {
    expect(codesOf(await browser.post(`${AUTH}/auth/webauthn/login`, body))).toEqual([code])
  }
  const credential = passkey.answer(options)
  const unasked = await client().call(contract.loginByPasskey, { body: { credential } })
  expect(codesOf(unasked)).toEqual(['incorrect_code@credential'])
  expect((await browser.call(contract.loginByPasskey, { body: { credential } })).status).toBe(200)
})

it('a key for the second step only does not sign in alone', async () => {
  const account = await makeAccount(app)
  const passkey = await addPasskey(account)
  const browser = client()
  const options = optionsOf((await browser.call(contract.getPasskeyLogin, {})) as never)
  const reply = await browser.call(contract.loginByPasskey, { body: { credential: passkey.answer(options) } })
  expect(codesOf(reply)).toEqual(['incorrect_code@credential'])
})

it('A-03 a passkey is the second step after the password', async () => {
  const account = await makeAccount(app)
  const passkey = await addPasskey(account)
  const browser = client()
  const first = await browser.call(contract.login, { body: { email: account.email, password } })
  expect(first).toMatchObject({
    status: 401,
    body: {
      data: {
        flows: expect.arrayContaining([
          { id: 'mfa_authenticate', is_pending: true, types: ['recovery_codes', 'webauthn'] },
        ]),
      },
    },
  })
  const options = optionsOf((await browser.call(contract.getPasskeyStep, {})) as never)
  const wrong = await browser.call(contract.authenticateByPasskey, {
    body: { credential: new SoftwarePasskey().answer(options) },
  })
  expect(codesOf(wrong)).toEqual(['incorrect_code@credential'])
  const reply = await browser.call(contract.authenticateByPasskey, {
    body: { credential: passkey.answer(options) },
  })
  expect(reply).toMatchObject({
    status: 200,
    body: { data: { methods: [{ method: 'password' }, { method: 'mfa', type: 'webauthn' }] } },
  })
  expect((await client().call(contract.getPasskeyStep, {})).status).toBe(401)
})

it('the answer for an account that is switched off has no next step', async () => {
  const account = await makeAccount(app)
  const passkey = await addPasskey(account, { passwordless: true })
  await transaction(app, 'system', (tx) => updateUser(tx, account.user_id, { is_active: false }))
  const browser = client()
  const options = optionsOf((await browser.call(contract.getPasskeyLogin, {})) as never)
  const reply = await browser.call(contract.loginByPasskey, { body: { credential: passkey.answer(options) } })
  expect(reply).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
})

it('a signed-in user gets 409; where passkeys are off every route is 404', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  expect((await browser.call(contract.getPasskeyLogin, {})).body).toEqual({ status: 409 })
  const stranger = without.client()
  expect((await stranger.call(contract.getPasskeyLogin, {})).body).toEqual({ status: 404 })
  expect((await stranger.call(contract.loginByPasskey, { body: { credential: {} } })).body).toEqual({
    status: 404,
  })
  expect((await stranger.call(contract.getSession, {})).body).toMatchObject({
    data: { flows: [{ id: 'login' }, { id: 'signup' }] },
  })
})
