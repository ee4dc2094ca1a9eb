import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { voidPassword } from './security.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { deactivate, finishAccessReview, makePrimary, removeAddress } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, password, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { ageProofs } from '#tests/contract/sessions.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { SoftwarePasskey } from '#tests/contract/software-passkey.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, url } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp()

async function signedIn() {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  return { account, api }
}

it('A-06 proves with the password and issues no tokens', async () => {
  const { api } = await signedIn()
  const reply = await api.call(contract.reauthenticate, { body: { password: ` ${password} ` } })
  expect(reply).toMatchObject({ status: 200, body: { meta: { is_authenticated: true } } })
  if (reply.status !== 200) return
  expect(Object.keys(reply.body.meta)).toEqual(['is_authenticated'])
  const methods = reply.body.data.methods
  expect(methods).toHaveLength(2)
  expect(methods[1]).toEqual({ method: 'password', at: expect.any(Number), reauthenticated: true })
})

it('A-06 works with the session token alone and with the Bearer alone', async () => {
  const { api } = await signedIn()
  for (const tokens of [{ access_token: null }, { session_token: null }]) {
    expect((await api.call(contract.reauthenticate, { body: { password } }, tokens)).status).toBe(200)
  }
})

it('A-06 refuses a wrong password at its field, and a missing one', async () => {
  const { api } = await signedIn()
  const wrong = await api.post(`${AUTH}/auth/reauthenticate`, { password: 'something-else-9' })
  expect(wrong).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'incorrect_password', param: 'password' }] },
  })
  const blank = await api.post(`${AUTH}/auth/reauthenticate`, { password: '  ' })
  expect(blank).toMatchObject({ status: 400, body: { errors: [{ code: 'required', param: 'password' }] } })
})

it('A-06 without a session this is the first error', async () => {
  const { account } = await signedIn()
  for (const path of ['/auth/reauthenticate', '/auth/2fa/reauthenticate']) {
    expect((await client().post(AUTH + path, {})).status).toBe(401)
    const dead = await client().post(AUTH + path, {}, { session_token: 'dead' })
    expect(dead).toMatchObject({ status: 410, body: { meta: { is_authenticated: false } } })
  }
  // A half-finished login is not a session.
  const api = client()
  await signIn(api, account)
  await switchOnTotp(api)
  const half = client()
  await half.post(`${AUTH}/auth/login`, { email: account.email, password })
  expect(half.session_token).toBeDefined()
  expect((await half.post(`${AUTH}/auth/reauthenticate`, { password })).status).toBe(401)
})

it('A-06 proves with a code, which is used up; a recovery code works too', async () => {
  const { api } = await signedIn()
  const secret = await switchOnTotp(api)
  const code = totpCode(secret)
  const reply = await api.call(contract.reauthenticateByCode, { body: { code } })
  expect(reply).toMatchObject({
    status: 200,
    body: { data: { methods: [{}, {}, { method: 'mfa', type: 'totp', id: expect.any(Number) }] } },
  })
  const again = await api.post(`${AUTH}/auth/2fa/reauthenticate`, { code })
  expect(again).toMatchObject({ status: 400, body: { errors: [{ code: 'incorrect_code', param: 'code' }] } })
  const codes = await api.call(contract.getRecoveryCodes, {})
  if (codes.status !== 200) throw new Error('no codes')
  const [recovery] = codes.body.data.unused_codes
  expect((await api.call(contract.reauthenticateByCode, { body: { code: must(recovery) } })).status).toBe(200)
  expect((await api.call(contract.reauthenticateByCode, { body: { code: must(recovery) } })).status).toBe(400)
})

it('D16 a step is never accepted twice, nor one before it', async () => {
  const { api } = await signedIn()
  const secret = await switchOnTotp(api)
  // All codes are made at once, since a new step may begin during the test; the code of three steps ahead is still too far then.
  const [before, present, next, far] = [-1, 0, 1, 3].map((steps) => totpCode(secret, steps))
  const statusOf = async (code = '') =>
    (await api.call(contract.reauthenticateByCode, { body: { code } })).status
  expect(await statusOf(next)).toBe(200)
  for (const code of [before, present, next, far]) expect(await statusOf(code)).toBe(400)
})

it('A-06 without any second factor no code is right', async () => {
  const { api } = await signedIn()
  const reply = await api.post(`${AUTH}/auth/2fa/reauthenticate`, { code: '123456' })
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ code: 'incorrect_code', param: 'code' }] } })
})

it.each(['123 456', '12345', '1234567', '１２３４５６', 'abcdef', '123456789'])(
  'A-06 %s is no code',
  async (code) => {
    const { api } = await signedIn()
    await switchOnTotp(api)
    const reply = await api.post(`${AUTH}/auth/2fa/reauthenticate`, { code })
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'incorrect_code', param: 'code' }] },
    })
  },
)

it('rule 20: a fresh proof permits what an old one does not', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await ageProofs(app, account)
  const stale = await api.call(contract.getRecoveryCodes, {})
  expect(stale).toMatchObject({
    status: 401,
    body: {
      meta: { is_authenticated: true },
      data: {
        user: { id: account.user_id },
        flows: [{ id: 'mfa_reauthenticate', types: ['recovery_codes', 'totp'] }],
      },
    },
  })
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  expect((await api.call(contract.getRecoveryCodes, {})).status).toBe(200)
})

/** Every call that hands out, adds or removes a proof, or changes how the account is reached, as somebody who owns no factor can make it. */
const climbs: Record<string, (api: Client, email: string) => Promise<{ status: number; body?: unknown }>> = {
  'read the recovery codes': (api) => api.get(`${AUTH}/account/authenticators/recovery-codes`),
  'renew the recovery codes': (api) => api.post(`${AUTH}/account/authenticators/recovery-codes`),
  'ask for a new passkey': (api) => api.get(`${AUTH}/account/authenticators/webauthn`),
  'set up an app, or switch the app off': async (api) => {
    const { body } = await api.get<{ meta?: { secret: string } }>(`${AUTH}/account/authenticators/totp`)
    const secret = body.meta?.secret
    if (secret) return api.post(`${AUTH}/account/authenticators/totp`, { code: totpCode(secret) })
    return api.delete(`${AUTH}/account/authenticators/totp`)
  },
  'rename and remove the passkey': async (api) => {
    const list = await api.call(contract.listAuthenticators, {})
    const key = list.status === 200 ? list.body.data.find(({ type }) => type === 'webauthn') : undefined
    if (!key || !('id' in key)) return { status: 401, body: {} }
    const renamed = await api.call(contract.renamePasskey, { body: { id: key.id, name: 'mine' } })
    if (renamed.status !== 401) return renamed
    return api.call(contract.removePasskeys, { body: { authenticators: [key.id] } })
  },
  'add an address': (api) => api.post(`${AUTH}/account/email`, { email: anyEmail() }),
  'make an address primary': (api, email) => api.call(makePrimary, { body: { email, primary: true } }),
  'remove an address': (api, email) => api.call(removeAddress, { body: { email } }),
  'download all data': (api) => api.get('/api/users/export/'),
  'end the review of the access': (api) => api.call(finishAccessReview, {}),
  'delete the account': (api) => api.call(deactivate, { body: {} }),
}

it.each(['totp', 'webauthn'] as const)(
  'rule 20: with a session and the password no call, and no two after another, obtain anything of an account with %s',
  async (factor) => {
    const { account, api } = await signedIn()
    if (factor === 'totp') await switchOnTotp(api)
    else await addPasskey(api)
    const before = (await api.call(contract.listAuthenticators, {})).body
    await ageProofs(app, account)
    for (const proof of ['session', 'password']) {
      for (const round of [1, 2])
        for (const [name, climb] of Object.entries(climbs)) {
          if (proof === 'password')
            expect((await api.call(contract.reauthenticate, { body: { password } })).status).toBe(200)
          const answer = await climb(api, account.email)
          const refused = name === 'add an address' ? [400] : [401, 403]
          expect(refused, `${name} by ${proof}, round ${round}`).toContain(answer.status)
          expect(JSON.stringify(answer.body ?? {}), name).not.toMatch(/"id":"reauthenticate"|unused_codes/)
        }
    }
    expect((await api.call(contract.listAuthenticators, {})).body).toEqual(before)
  },
)

it('rule 20: an account with a factor and no password sets its first password with the factor alone', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await transaction(app, 'system', (tx) => voidPassword(app, tx, account.user_id))
  await ageProofs(app, account)
  const body = { new_password: 'quiet-lantern-77' }
  expect((await api.call(contract.changePassword, { body })).status).toBe(401)
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  expect((await api.call(contract.changePassword, { body })).status).toBe(200)
})

async function addPasskey(api: Client): Promise<void> {
  const asked = await api.call(contract.getPasskeyCreation, { query: {} })
  if (asked.status !== 200) throw new Error('no options')
  const { publicKey } = asked.body.data.creation_options
  const credential = new SoftwarePasskey().register(publicKey as { challenge: string; rp: { id: string } })
  expect((await api.call(contract.addPasskey, { body: { credential } })).status).toBe(200)
}

it('rule 18: wrong passwords count with the failed logins of the address, and the right one is refused too', async () => {
  const account = await makeAccount(strict.app)
  const api = strict.client()
  await signIn(api, account)
  const tries = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.post<{ errors: { code: string }[] }>(`${AUTH}/auth/reauthenticate`, { password: 'wrong-one-77' }),
    ),
  )
  const codes = tries.map((reply) => must(reply.body.errors[0]).code)
  expect(codes.filter((code) => code === 'incorrect_password')).toHaveLength(5)
  const right = await api.post(`${AUTH}/auth/reauthenticate`, { password })
  expect(right).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'too_many_login_attempts', param: 'password' }] },
  })
  const login = await strict.client().post(`${AUTH}/auth/login`, { email: account.email, password })
  expect(login).toMatchObject({ status: 400, body: { errors: [{ code: 'too_many_login_attempts' }] } })
  // Each user has 10 calls a minute: the next call is refused for that, in a body without texts (section 11).
  await api.post(`${AUTH}/auth/reauthenticate`, { password })
  const many = await api.post(`${AUTH}/auth/reauthenticate`, { password })
  expect(many).toMatchObject({ status: 429, body: { status: 429 } })
  expect(Number(many.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('rule 33: a session keeps the login and the latest proofs, however many there were', async () => {
  const { account, api } = await signedIn()
  for (let time = 0; time < 25; time += 1) await api.call(contract.reauthenticate, { body: { password } })
  const reply = await api.call(contract.reauthenticate, { body: { password } })
  if (reply.status !== 200) throw new Error('not proven')
  const { methods } = reply.body.data
  expect(methods).toHaveLength(20)
  expect(methods[0]).toMatchObject({ method: 'password', email: account.email })
  expect(must(methods.at(-1)).at).toBeGreaterThan(must(methods.at(-2)).at)
})

it('another method is refused with a list of the available ones', async () => {
  const reply = await fetch(`${url}${AUTH}/auth/reauthenticate`, { method: 'GET' })
  expect(reply.status).toBe(405)
})
