import pg from 'pg'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import {
  keyIn,
  makeAccount,
  password,
  signIn,
  switchOnTotp,
  totpCode,
  type Account,
} from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })

type ErrorReply = { errors: { code: string; param?: string }[] }
const codesOf = (reply: { body: unknown }) =>
  (reply.body as ErrorReply).errors.map(({ code, param }) => `${code}@${param}`)
const fresh = 'steady-lantern-19'

const from = (n: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${n}` } })

async function keyFor({ email }: Pick<Account, 'email'>): Promise<string> {
  const reply = await client().call(contract.requestReset, { body: { email } })
  expect(reply.body).toEqual({ status: 200 })
  return keyIn((await mails.about(email, 'reset=')).text, 'reset')
}

const reset = (key: string, secret = fresh) => ({ body: { key, password: secret } })
const inspect = (key: string) =>
  client().call(contract.inspectReset, { headers: { 'x-password-reset-key': key } })

it('A-05 a link from a mail sets another password and signs nobody in', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const half = client()
  const key = await keyFor(account)
  expect((await inspect(key)).body).toMatchObject({
    status: 200,
    data: { user: { id: account.user_id, email: account.email } },
  })
  expect((await inspect(key)).body).not.toHaveProperty('meta')
  const reply = await half.call(contract.resetPassword, reset(key))
  expect(reply).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
  expect((await browser.call(contract.getSession, {})).status, 'all sessions are over').toBe(410)
  const old = await client().call(contract.login, { body: { email: account.email, password } })
  expect(codesOf(old)).toEqual(['email_password_mismatch@password'])
  expect(
    (await client().call(contract.login, { body: { email: account.email, password: fresh } })).status,
  ).toBe(200)
  expect((await mails.next(account.email)).text).toContain('was reset using a link')
})

it('rule 38: after a reset all other sign-in methods are shown for review, until a user with the password confirms them', async () => {
  const account = await makeAccount(app)
  const plain = await makeAccount(app)
  await transaction(app, 'system', (tx) =>
    insertAddress(tx, { user_id: account.user_id, email: anyEmail(), is_primary: false, verified: true }),
  )
  const review = async (browser: ReturnType<typeof client>) =>
    (await browser.get<{ access_review?: true }>('/api/users/detail/')).body.access_review
  for (const { email } of [account, plain])
    await client().call(contract.resetPassword, reset(await keyFor({ email })))
  const signedIn = async ({ email }: Account) => {
    const browser = client()
    const reply = await browser.call(contract.login, { body: { email, password: fresh } })
    expect(reply.status).toBe(200)
    return browser
  }
  expect(await review(await signedIn(plain)), 'nothing to look at').toBeUndefined()
  const owner = await signedIn(account)
  expect(await review(owner)).toBe(true)

  const intruder = await signedIn(account)
  await change(
    `update sessions set methods = '[{"method":"mfa","at":99999999999,"id":1,"type":"webauthn","passwordless":true}]'
    where id = (select max(id) from sessions where user_id = $1)`,
    [account.user_id],
  )
  expect(await review(intruder), 'a passkey left behind is not asked').toBeUndefined()
  expect((await intruder.delete('/api/users/access-review/')).status, 'and cannot answer').toBe(403)
  expect((await owner.delete('/api/users/access-review/')).status).toBe(204)
  expect(await review(owner)).toBeUndefined()
})

async function change(statement: string, values: unknown[]): Promise<void> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query("select set_config('app.actor', 'system', false)")
  await owner.query(statement, values)
  await owner.end()
}

it('A-14 the answer reveals nothing: unknown and switched-off addresses get a mail that explains it', async () => {
  const off = await makeAccount(app)
  await transaction(app, 'system', (tx) => updateUser(tx, off.user_id, { is_active: false }))
  for (const email of ['stranger@example.com', off.email]) {
    const reply = await client().call(contract.requestReset, { body: { email } })
    expect(reply.body).toEqual({ status: 200 })
    const mail = await mails.next(email)
    expect(mail.text).toContain('no account')
    expect(mail.text).not.toContain('reset=')
  }
})

it('an address that was only added, without proof, resets nothing', async () => {
  const account = await makeAccount(app)
  await transaction(app, 'system', (tx) =>
    insertAddress(tx, {
      user_id: account.user_id,
      email: 'typo@example.com',
      is_primary: false,
      verified: false,
    }),
  )
  await client().call(contract.requestReset, { body: { email: 'typo@example.com' } })
  expect((await mails.next('typo@example.com')).text).not.toContain('reset=')
})

it('A-14 a wrong key is reported, and the password is not checked then', async () => {
  expect(codesOf(await inspect('nonsense'))).toEqual(['invalid_password_reset@key'])
  expect(codesOf(await client().call(contract.resetPassword, reset('nonsense', '123')))).toEqual([
    'invalid_password_reset@key',
  ])
  expect(codesOf(await client().post(`${AUTH}/auth/password/reset`, {}))).toEqual([
    'required@key',
    'required@password',
  ])
  expect(codesOf(await client().get(`${AUTH}/auth/password/reset`))).toEqual(['required@key'])
})

it('V-02 a poor password leaves the key usable; the header may carry it (D9)', async () => {
  const account = await makeAccount(app)
  const key = await keyFor(account)
  expect(codesOf(await client().call(contract.resetPassword, reset(key, '1234567')))).toEqual([
    'password_too_short@password',
    'password_too_common@password',
    'password_entirely_numeric@password',
  ])
  expect(codesOf(await client().call(contract.resetPassword, reset(key, password))), 'D4').toEqual([
    'same_as_current@password',
  ])
  expect(codesOf(await client().call(contract.resetPassword, reset(key, account.email)))).toEqual([
    'password_too_similar@password',
  ])
  const headers = { 'x-password-reset-key': key }
  const reply = await client().call(contract.resetPassword, { body: { password: fresh } }, { headers })
  expect(reply.status).toBe(401)
  expect(codesOf(await client().call(contract.resetPassword, reset(key)))).toEqual([
    'invalid_password_reset@key',
  ])
})

it('D28: links outlive a login, and are void after another reset', async () => {
  const account = await makeAccount(app)
  const beforeLogin = await keyFor(account)
  await signIn(client(), account)
  expect((await inspect(beforeLogin)).status, 'who knows the password must not hinder recovery').toBe(200)
  const [one, other] = [await keyFor(account), await keyFor(account)]
  expect((await inspect(one)).status, 'several may be outstanding').toBe(200)
  await client().call(contract.resetPassword, reset(other))
  expect(codesOf(await inspect(beforeLogin))).toEqual(['invalid_password_reset@key'])
  expect(codesOf(await inspect(one))).toEqual(['invalid_password_reset@key'])
})

it('a link is void after three days', async () => {
  const account = await makeAccount(app)
  const key = await keyFor(account)
  const lives_s = await asOwner(
    'select extract(epoch from expires_at - now())::int as s from password_reset_keys',
  )
  expect(lives_s).toBeGreaterThan(3 * 86_400 - 60)
  await asOwner("update password_reset_keys set expires_at = now() - interval '1 second' returning 0 as s")
  expect(codesOf(await inspect(key))).toEqual(['invalid_password_reset@key'])
  expect(codesOf(await client().call(contract.resetPassword, reset(key)))).toEqual([
    'invalid_password_reset@key',
  ])
})

async function asOwner(statement: string): Promise<number> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query("select set_config('app.actor', 'system', false)")
  const { rows } = await owner.query<{ s: number }>(statement)
  await owner.end()
  return must(rows.at(-1)).s
}

it('drops a login that waits for its second step, and keeps the second factor', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const secret = await switchOnTotp(browser)
  const half = client()
  const key = await keyFor(account)
  await half.call(contract.login, { body: { email: account.email, password } })
  await client().call(contract.resetPassword, reset(key))
  expect((await half.call(contract.authenticateByCode, { body: { code: totpCode(secret) } })).status).toBe(
    410,
  )
  const again = await client().call(contract.login, { body: { email: account.email, password: fresh } })
  expect(again).toMatchObject({ status: 401, body: { meta: { session_token: expect.any(String) } } })
})

it('a user who is already signed in gets a 200, and is signed out all the same', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const key = await keyFor(account)
  expect((await browser.call(contract.resetPassword, reset(key))).status).toBe(200)
  expect((await browser.call(contract.getSession, {})).status).toBe(410)
})

it('forgets the failed logins of the account', async () => {
  const account = await makeAccount(strict.app)
  for (let n = 0; n < 6; n += 1) {
    await strict
      .client()
      .call(contract.login, { body: { email: account.email, password: 'wrong-lantern-1' } }, from(n))
  }
  await strict.client().call(contract.requestReset, { body: { email: account.email } })
  const key = keyIn((await strict.mails.next(account.email)).text, 'reset')
  await strict.client().call(contract.resetPassword, reset(key))
  const reply = await strict
    .client()
    .call(contract.login, { body: { email: account.email, password: fresh } }, from(9))
  expect(reply.status).toBe(200)
})

it('A-14 the sixth request a minute for one address is refused; badly formed ones do not count', async () => {
  const body = { email: 'often@example.com' }
  for (let n = 0; n < 25; n += 1) await strict.client().post(`${AUTH}/auth/password/request`, { email: 'x' })
  for (let n = 0; n < 5; n += 1) {
    expect((await strict.client().call(contract.requestReset, { body })).status).toBe(200)
  }
  const refused = await strict.client().call(contract.requestReset, { body })
  expect(refused).toMatchObject({ status: 429, body: { status: 429 } })
})
