import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, password, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { ageProofs } from '#tests/contract/sessions.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const path = `${AUTH}/account/authenticators/totp`

async function signedIn(options: { verified?: boolean } = {}) {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  if (options.verified === false)
    await api.post(`${AUTH}/account/email`, { email: `second-${account.email}` })
  return { account, api }
}

async function secretOf(api: ReturnType<typeof client>): Promise<string> {
  const reply = await api.call(contract.getTotp, {})
  if (reply.status !== 404) throw new Error(`not 404 but ${reply.status}`)
  return reply.body.meta.secret
}

it('A-09 if it is not set up, a 404 carries the secret and the address for the QR code', async () => {
  const { account, api } = await signedIn()
  const reply = await api.get<{ meta: { secret: string; totp_url: string } }>(path)
  expect(reply.status).toBe(404)
  expect(Object.keys(reply.body)).toEqual(['status', 'meta'])
  const { secret, totp_url } = reply.body.meta
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(totp_url).toBe(
    `otpauth://totp/${encodeURIComponent(account.email)}?secret=${secret}&issuer=Hostdesk`,
  )
})

it('A-09 only the latest secret works', async () => {
  const { api } = await signedIn()
  const [first, latest] = [await secretOf(api), await secretOf(api)]
  expect(first).not.toBe(latest)
  expect((await api.post(path, { code: totpCode(first) })).status).toBe(400)
  expect((await api.post(path, { code: totpCode(latest) })).status).toBe(200)
})

it('A-09 a correct code activates the authenticator app and creates ten recovery codes', async () => {
  const { api } = await signedIn()
  const code = totpCode(await secretOf(api))
  const reply = await api.call(contract.activateTotp, { body: { code: ` ${code} ` } })
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: { type: 'totp', created_at: expect.any(Number), last_used_at: null },
      meta: { recovery_codes_generated: true },
    },
  })
  expect(await api.get(path)).toMatchObject({
    status: 200,
    body: { data: { type: 'totp', last_used_at: null } },
  })
  const list = await api.call(contract.listAuthenticators, {})
  expect(list.body).toMatchObject({
    data: [{ type: 'totp' }, { type: 'recovery_codes', total_code_count: 10, unused_code_count: 10 }],
  })
  expect(JSON.stringify(list.body)).not.toContain('unused_codes')
  const session = await api.get<{ data: unknown }>(`${AUTH}/auth/session`)
  expect(session.status).toBe(200)
})

it('rule 17: the code of the activation is not counted as used', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  const other = client()
  expect((await other.post(`${AUTH}/auth/login`, { email: account.email, password })).status).toBe(401)
  expect((await other.post(`${AUTH}/auth/2fa/authenticate`, { code: totpCode(secret) })).status).toBe(200)
})

it('V-03 a wrong code is refused even if the proof is old; the right one asks for a proof and keeps its secret', async () => {
  const { account, api } = await signedIn()
  const secret = await secretOf(api)
  await ageProofs(app, account)
  expect(await api.post(path, {})).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'required', param: 'code' }] },
  })
  const wrong = await api.post(path, { code: totpCode(secret, 5) })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ code: 'incorrect_code', param: 'code' }] } })
  const stale = await api.post(path, { code: totpCode(secret) })
  expect(stale).toMatchObject({
    status: 401,
    body: { meta: { is_authenticated: true }, data: { flows: [{ id: 'reauthenticate' }] } },
  })
  await api.call(contract.reauthenticate, { body: { password } })
  expect((await api.post(path, { code: totpCode(secret) })).status).toBe(200)
})

it('D7 already active: 409, also when ten come at once', async () => {
  const { api } = await signedIn()
  const code = totpCode(await secretOf(api))
  const replies = await Promise.all(Array.from({ length: 10 }, () => api.copy().post(path, { code })))
  expect(replies.map((reply) => reply.status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ])
  expect((await api.post(path, { code })).status).toBe(409)
})

it('an unverified address, even a secondary one, is a reason to refuse', async () => {
  const { api } = await signedIn({ verified: false })
  const reply = await api.get(path)
  expect(reply).toMatchObject({ status: 409, body: { status: 409, errors: [{ code: 'unverified_email' }] } })
  const post = await api.post(path, { code: '123456' })
  expect(post).toMatchObject({ status: 400, body: { errors: [{ code: 'unverified_email', param: 'code' }] } })
})

it('A-09 deactivates it after a proof by code, and the recovery codes go with it', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await ageProofs(app, account)
  expect((await api.delete(path)).status).toBe(401)
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  expect(await api.delete(path)).toMatchObject({ status: 200, body: { status: 200 } })
  expect((await api.get(path)).status).toBe(404)
  expect((await api.get(`${AUTH}/account/authenticators/recovery-codes`)).status).toBe(404)
  expect((await api.call(contract.listAuthenticators, {})).body).toMatchObject({ data: [] })
  const login = await client().post(`${AUTH}/auth/login`, { email: account.email, password })
  expect(login.status).toBe(200)
  await ageProofs(app, account)
  expect((await api.delete(path)).status).toBe(200)
})

it('D26: the password alone, however fresh, does not switch it off', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await ageProofs(app, account)
  await api.call(contract.reauthenticate, { body: { password } })
  const refused = await api.delete(path)
  expect(refused).toMatchObject({ status: 401, body: { meta: { is_authenticated: true } } })
  expect((refused.body as { data: { flows: unknown } }).data.flows).toEqual([
    { id: 'mfa_reauthenticate', types: ['recovery_codes', 'totp'] },
  ])
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  await api.call(contract.reauthenticate, { body: { password } })
  expect((await api.delete(path)).status, 'a code of the last 300 s, whatever came after').toBe(200)
})

it('D22: codes at the set-up are counted like those of a sign-in', async () => {
  const strict = await startTestApp()
  const account = await makeAccount(strict.app)
  const api = strict.client()
  await signIn(api, account)
  const secret = (await api.get<{ meta: { secret: string } }>(path)).body.meta.secret
  for (let tries = 0; tries < 5; tries += 1)
    expect((await api.post(path, { code: totpCode(secret, 9) })).body).toMatchObject({
      errors: [{ code: 'incorrect_code' }],
    })
  expect((await api.post(path, { code: totpCode(secret) })).body, 'the right one too').toMatchObject({
    errors: [{ code: 'too_many_login_attempts', param: 'code' }],
  })
  await strict.close()
})

it('notifies the owner by mail when it goes on and off', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  await api.delete(path)
  const subject = async () => (await mails.about(account.email, /^Two-factor/)).subject ?? ''
  // Mails that are queued at the same time are sent in parallel.
  expect([await subject(), await subject()].toSorted()).toEqual([
    'Two-factor authentication is off',
    'Two-factor authentication is on',
  ])
})

it('rule 15: neither secret nor codes are in the database in clear text', async () => {
  const { account, api } = await signedIn()
  const shown = await secretOf(api)
  const scratch = await app.db
    .selectFrom('sessions')
    .select('scratch')
    .where('user_id', '=', account.user_id)
    .execute()
  expect(JSON.stringify(scratch)).not.toContain(shown)
  await api.post(path, { code: totpCode(shown) })
  const codes = await api.call(contract.getRecoveryCodes, {})
  if (codes.status !== 200) throw new Error('no codes')
  const rows = [
    await app.db
      .selectFrom('totp_authenticators')
      .selectAll()
      .where('user_id', '=', account.user_id)
      .execute(),
    await app.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', account.user_id).execute(),
  ]
  const dump = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  for (const secret of [shown, ...codes.body.data.unused_codes]) expect(dump).not.toContain(`"${secret}"`)
})
