import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { ageProofs } from '#tests/contract/sessions.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

async function signedIn() {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  return { account, api }
}

async function codesOf(api: Client): Promise<contract.RecoveryCodes> {
  const reply = await api.call(contract.getRecoveryCodes, {})
  if (reply.status !== 200) throw new Error(`not 200 but ${reply.status}`)
  return reply.body.data
}

it('A-09 shows the same ten recovery codes of eight digits at each request', async () => {
  const { api } = await signedIn()
  await switchOnTotp(api)
  const first = await codesOf(api)
  expect(first).toMatchObject({
    type: 'recovery_codes',
    total_code_count: 10,
    unused_code_count: 10,
    last_used_at: null,
  })
  expect(new Set(first.unused_codes).size).toBe(10)
  for (const code of first.unused_codes) expect(code).toMatch(/^\d{8}$/)
  expect(await codesOf(api)).toEqual(first)
})

it('rule 17: each works once; the others keep their order', async () => {
  const { api } = await signedIn()
  await switchOnTotp(api)
  const { unused_codes } = await codesOf(api)
  const code = must(unused_codes[3])
  expect((await api.call(contract.reauthenticateByCode, { body: { code } })).status).toBe(200)
  expect((await api.call(contract.reauthenticateByCode, { body: { code } })).status).toBe(400)
  const after = await codesOf(api)
  expect(after).toMatchObject({
    total_code_count: 10,
    unused_code_count: 9,
    last_used_at: expect.any(Number),
  })
  expect(after.unused_codes).toEqual(unused_codes.filter((each) => each !== code))
})

it('A-09 making new recovery codes voids the old codes and notifies the owner by mail', async () => {
  const { account, api } = await signedIn()
  await switchOnTotp(api)
  const old = await codesOf(api)
  const reply = await api.call(contract.renewRecoveryCodes, {})
  if (reply.status !== 200) throw new Error('not renewed')
  const renewed = reply.body.data
  expect(renewed).toMatchObject({ total_code_count: 10, unused_code_count: 10 })
  expect(renewed.unused_codes).not.toEqual(old.unused_codes)
  expect(
    (await api.call(contract.reauthenticateByCode, { body: { code: must(old.unused_codes[0]) } })).status,
  ).toBe(400)
  expect(
    (await api.call(contract.reauthenticateByCode, { body: { code: must(renewed.unused_codes[0]) } })).status,
  ).toBe(200)
  await mails.about(account.email, /^New recovery codes$/)
})

it('need a second factor: 400 even if the proof is old, and 404 to read', async () => {
  const { account, api } = await signedIn()
  await ageProofs(app, account)
  const reply = await api.post(`${AUTH}/account/authenticators/recovery-codes`)
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ code: 'cannot_generate_recovery_codes' }] } })
  expect((reply.body as { errors: object[] }).errors[0]).not.toHaveProperty('param')
  expect((await api.call(contract.getRecoveryCodes, {})).status).toBe(404)
})

it('rule 20: an old proof neither shows nor renews them', async () => {
  const { account, api } = await signedIn()
  const secret = await switchOnTotp(api)
  await ageProofs(app, account)
  expect((await api.call(contract.getRecoveryCodes, {})).status).toBe(401)
  expect((await api.call(contract.renewRecoveryCodes, {})).status).toBe(401)
  await api.call(contract.reauthenticateByCode, { body: { code: totpCode(secret) } })
  expect((await api.call(contract.renewRecoveryCodes, {})).status).toBe(200)
})

it('rule 1: a recovery code of one account is refused for another account', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  await switchOnTotp(one.api)
  await switchOnTotp(other.api)
  const { unused_codes } = await codesOf(one.api)
  expect(
    (await other.api.call(contract.reauthenticateByCode, { body: { code: must(unused_codes[0]) } })).status,
  ).toBe(400)
})
