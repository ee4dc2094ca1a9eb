import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import {
  makeAccount,
  password,
  signIn,
  switchOnTotp,
  totpCode,
  type Account,
} from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client } = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const tryFrom = async (ip: string, { email }: Account, given = 'wrong-lantern-1') => {
  const reply = await client().call(contract.login, { body: { email, password: given } }, from(ip))
  const { errors } = reply.body as unknown as { errors?: { code: string; message: string }[] }
  return {
    status: reply.status,
    code: errors?.[0]?.code,
    message: errors?.[0]?.message,
    headers: reply.headers,
  }
}
const acts = async (user_id: string | null) => {
  const { rows } = await app.pool.query<{ act: string; ip: string; request_id: string }>(
    'select act, host(ip) as ip, request_id from audit where user_id is not distinct from $1 order by id',
    [user_id],
  )
  return rows
}

it('D24: a guesser locks the account for the own network, and nobody elsewhere', async () => {
  const account = await makeAccount(app)
  for (let n = 1; n <= 5; n += 1)
    expect((await tryFrom(`192.0.2.${n}`, account)).code).toBe('email_password_mismatch')
  const locked = await tryFrom('192.0.2.200', account, password)
  expect(locked.code).toBe('too_many_login_attempts')
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(240)
  expect(locked.message).toMatch(/Time to wait: 5 minutes/)
  expect((await tryFrom('198.51.100.1', account, password)).status).toBe(200)
})

it('D24: a lock on sign-in covers the whole /48 of an IPv6 network, and no other /48', async () => {
  const account = await makeAccount(app)
  for (let n = 1; n <= 5; n += 1) await tryFrom(`2001:db8:7:${n}::${n}`, account)
  expect((await tryFrom('2001:db8:7:ffff::1', account, password)).code).toBe('too_many_login_attempts')
  expect((await tryFrom('2001:db8:8::1', account, password)).status).toBe(200)
})

it('D24: 30 failures from everywhere lock strangers out, and not where the account signs in from', async () => {
  const account = await makeAccount(app)
  expect((await tryFrom('203.0.113.7', account, password)).status).toBe(200)
  for (let n = 0; n < 30; n += 1) await tryFrom(`10.9.${n}.1`, account)
  expect((await tryFrom('10.9.99.1', account, password)).code).toBe('too_many_login_attempts')
  expect((await tryFrom('203.0.113.8', account, password)).status).toBe(200)
})

it('rule 44: the audit holds one row for each judged refusal and one for the lock-out, with address and request', async () => {
  const account = await makeAccount(app)
  for (let n = 1; n <= 9; n += 1) await tryFrom('192.0.2.33', account)
  const rows = await acts(account.user_id)
  expect(rows.map(({ act }) => act)).toEqual([...Array<string>(5).fill('login.refused'), 'password.locked'])
  for (const row of rows)
    expect(row).toMatchObject({
      ip: '192.0.2.33',
      request_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    })
  const before = (await acts(null)).length
  await tryFrom('192.0.2.34', { user_id: '', email: 'nobody@example.com' })
  expect((await acts(null)).length, 'an unknown address too').toBe(before + 1)
})

it('rule 44: wrong codes and failed proofs are written to the audit log', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const secret = await switchOnTotp(browser)
  const other = client()
  await other.call(contract.login, { body: { email: account.email, password } })
  await other.call(contract.authenticateByCode, { body: { code: totpCode(secret, 50) } })
  await browser.post(`${AUTH}/auth/2fa/reauthenticate`, { code: totpCode(secret, 50) })
  await browser.post(`${AUTH}/auth/reauthenticate`, { password: 'wrong-lantern-1' })
  const refused = (await acts(account.user_id))
    .map(({ act }) => act)
    .filter((act) => act.endsWith('.refused'))
  expect(refused).toEqual(['code.refused', 'code.refused', 'proof.refused'])
})

it('rule 44: refused actions of staff are written to the audit log', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const credits = `/api/staff/customers/${account.user_id}/credits/`
  const key = { headers: { 'idempotency-key': '00000000-0000-4000-8000-000000000001' } }
  expect((await browser.post(credits, { amount: '100', reason: 'gift' }, key)).status).toBe(403)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, account.user_id, ['support', 'billing']))
  expect((await browser.post(credits, { amount: '100', reason: 'for myself' }, key)).status).toBe(403)
  const block = `/api/staff/customers/${account.user_id}/sign-out/`
  for (let n = 1; n <= 3; n += 1)
    expect((await browser.post(block, { reason: 'for myself' })).status).toBe(403)
  const refused = (await acts(account.user_id)).filter(({ act }) => act === 'staff.refused')
  expect(refused, 'one row a minute for each call').toHaveLength(2)
  expect(refused[0]).toMatchObject({ ip: '127.0.0.1', request_id: expect.any(String) as string })
})

it('D22: codes while setting up the app are limited like the second step', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const path = `${AUTH}/account/authenticators/totp`
  const { body } = await browser.get<{ meta: { secret: string } }>(path)
  type Refused = { errors: { code: string }[] }
  const wrong = () => browser.post<Refused>(path, { code: totpCode(body.meta.secret, 50) })
  for (let n = 1; n <= 5; n += 1) expect((await wrong()).body.errors[0]?.code).toBe('incorrect_code')
  const right = await browser.post<Refused>(path, { code: totpCode(body.meta.secret) })
  expect(right.body.errors).toMatchObject([{ code: 'too_many_login_attempts', param: 'code' }])
})
