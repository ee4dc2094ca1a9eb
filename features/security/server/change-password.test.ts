import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp()

const path = `${AUTH}/account/password/change`
const next = 'calmer-badger-17'

async function signedIn() {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  return { account, api }
}

/** `param: code` of each refusal, in order. */
async function refusals(api: Client, body: object): Promise<string[]> {
  const reply = await api.post<{ errors?: { code: string; param: string }[] }>(path, body)
  expect(reply.status).toBe(400)
  return must(reply.body.errors).map(({ code, param }) => `${param}: ${code}`)
}

it('A-08 changes the password; this session continues with new tokens, the old ones are void', async () => {
  const { account, api } = await signedIn()
  const old = api.copy()
  const elsewhere = client()
  await signIn(elsewhere, account)
  const reply = await api.call(contract.changePassword, {
    body: { current_password: password, new_password: next },
  })
  expect(reply.status).toBe(200)
  expect(api.session_token).not.toBe(old.session_token)
  expect(api.refresh_token).not.toBe(old.refresh_token)
  expect((await api.get(`${AUTH}/auth/session`)).status).toBe(200)
  expect((await api.get('/api/users/detail/', { session_token: null })).status).toBe(200)
  // The old tokens, and both tokens of the other device.
  for (const dead of [old, elsewhere]) {
    expect((await dead.get(`${AUTH}/auth/session`)).status).toBe(410)
    expect((await dead.get('/api/users/detail/', { session_token: null })).status).toBe(401)
    const refresh = await dead.post(
      `${AUTH}/tokens/refresh`,
      { refresh_token: dead.refresh_token },
      { session_token: null },
    )
    expect(refresh.status).toBe(400)
  }
  const login = (secret: string) =>
    client().post(`${AUTH}/auth/login`, { email: account.email, password: secret })
  expect((await login(password)).status).toBe(400)
  expect((await login(next)).status).toBe(200)
})

it('A-08 notifies the owner by mail, with time, address and device', async () => {
  const { account, api } = await signedIn()
  await api.call(
    contract.changePassword,
    { body: { current_password: password, new_password: next } },
    { headers: { 'user-agent': 'Test Browser 7' } },
  )
  const mail = await mails.about(account.email, /^Your password was changed$/)
  expect(mail.text).toContain('127.0.0.1')
  expect(mail.text).toContain('Test Browser 7')
  expect(mail.text).not.toContain(next)
})

it('V-02 judges both fields at once', async () => {
  const { api } = await signedIn()
  expect(await refusals(api, {})).toEqual(['current_password: required', 'new_password: required'])
  expect(await refusals(api, { current_password: 'wrong-one-77', new_password: '123' })).toEqual([
    'current_password: enter_current_password',
    'new_password: password_too_short',
    'new_password: password_too_common',
    'new_password: password_entirely_numeric',
  ])
  expect(await refusals(api, { current_password: ' ', new_password: 'short7!' })).toEqual([
    'current_password: required',
    'new_password: password_too_short',
  ])
  expect(await refusals(api, { current_password: password, new_password: 'a\0b-lively-otter' })).toEqual([
    'new_password: null_characters_not_allowed',
  ])
  expect(await refusals(api, { current_password: password, new_password: 'x'.repeat(1025) })).toEqual([
    'new_password: max_length',
  ])
  expect(await refusals(api, { current_password: 7, new_password: next })).toEqual([
    'current_password: invalid',
  ])
})

it('V-02 refuses what is too similar to the e-mail or the name', async () => {
  const { account, api } = await signedIn()
  await api.call(updateProfile, { body: { name: 'Annabella', surname: 'Lindqvist' } })
  const current_password = password
  for (const new_password of [account.email, 'annabella1', 'Lindqvist7']) {
    expect(await refusals(api, { current_password, new_password })).toEqual([
      'new_password: password_too_similar',
    ])
  }
})

it('V-02 the new password cannot equal the previous one; only a user who knows that one is told so', async () => {
  const { api } = await signedIn()
  expect(await refusals(api, { current_password: password, new_password: ` ${password} ` })).toEqual([
    'new_password: same_as_current',
  ])
  expect(await refusals(api, { current_password: 'wrong-one-77', new_password: password })).toEqual([
    'current_password: enter_current_password',
  ])
})

it('A-08 without a session this is the first error', async () => {
  expect((await client().post(path, {})).status).toBe(401)
})

it('rule 17: of ten changes at once one succeeds', async () => {
  const { account, api } = await signedIn()
  const others = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const other = client()
      await signIn(other, account)
      return other
    }),
  )
  const all = [api, ...others]
  const replies = await Promise.all(
    all.map((each, place) =>
      each.copy().post(path, { current_password: password, new_password: `${next}-${place}` }),
    ),
  )
  const done = replies.filter((reply) => reply.status === 200)
  expect(done).toHaveLength(1)
  const winner = replies.findIndex((reply) => reply.status === 200)
  const login = await client().post(`${AUTH}/auth/login`, {
    email: account.email,
    password: `${next}-${winner}`,
  })
  expect(login.status).toBe(200)
})

it('section 11: five changes a minute, wrong ones too', async () => {
  const account = await makeAccount(strict.app)
  const api = strict.client()
  await signIn(api, account)
  const statuses: number[] = []
  for (let place = 0; place < 6; place += 1) statuses.push((await api.post(path, {})).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
})
