import { expect, it } from 'vitest'
import * as contract from '#features/auth/contract.ts'
import * as profile from '#features/profile/contract.ts'
import { addressesOf, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { sweepClaims } from '#features/profile/server/claims.ts'
import { addPasskey, getTotp } from '#features/security/contract.ts'
import { keyIn, makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import type { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { must } from '#foundation/must.ts'

// An unproven claim to an address has no effect (rule 37). These tests repeat the attacks that such claims once allowed, as the
// attacker and as the owner of the address.

watchContract()
const test = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })
const { app, client, mails } = test
const lax = await startTestApp({ settings: { EMAIL_VERIFICATION: 'optional', RATE_LIMIT_SCALE: '1000' } })

const attackersPassword = 'stolen-lantern-77'
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
let network = 0
/** Returns options for a request from another network: each person of a test has a network of their own. */
const elsewhere = () => from(`198.51.${(network += 1)}.7`)

const signUp = (browser: Client, email: string, secret = password, at = elsewhere()) =>
  browser.call(contract.signup, { body: { email, password: secret } }, at)
const verify = (key: string, browser = client()) =>
  browser.call(contract.verifyEmail, { body: { key } }, elsewhere())
const login = (browser: Client, email: string, secret = password) =>
  browser.call(contract.login, { body: { email, password: secret } }, elsewhere())
const keyMailedTo = async ({ mails: sink }: Pick<TestApp, 'mails'>, email: string) =>
  keyIn((await sink.next(email)).text, 'verify')
async function change(installation: TestApp, statement: string, values: unknown[] = []): Promise<void> {
  const owner = await superuserOf(installation)
  await owner.query(statement, values)
  await owner.end()
}
const accountsOf = (email: string) =>
  app.db.selectFrom('email_addresses').select(['user_id', 'verified_at']).where('email', '=', email).execute()

it('rule 37: a stranger who claims an address does not keep others from signing up with it', async () => {
  const email = anyEmail()
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email } }, elsewhere())
  const strangersKey = await keyMailedTo(test, email)
  const owner = client()
  expect((await signUp(owner, email)).status).toBe(401)
  const { text, subject } = await mails.next(email)
  expect(subject, 'no mail that there is an account already').toBe('Confirm your email address')
  expect((await verify(keyIn(text, 'verify'), owner)).status).toBe(401)
  expect((await login(owner, email)).status).toBe(200)
  expect((await addressesOf(app.db, stranger.user_id)).map((address) => address.email)).toEqual([
    stranger.email,
  ])
  expect((await verify(strangersKey)).body).toMatchObject({ errors: [{ code: 'invalid_or_expired_key' }] })
})

it('rule 37: of two sign-ups with one address, the one whose key is used gets the address, whichever came first', async () => {
  for (const ownerComesFirst of [true, false]) {
    const email = anyEmail()
    const sign = async (secret: string) => {
      await signUp(client(), email, secret)
      return keyMailedTo(test, email)
    }
    const early = await sign(ownerComesFirst ? password : attackersPassword)
    const late = await sign(ownerComesFirst ? attackersPassword : password)
    expect(await accountsOf(email)).toHaveLength(2)
    await verify(ownerComesFirst ? early : late)
    expect((await login(client(), email)).status).toBe(200)
    expect((await login(client(), email, attackersPassword)).status).toBe(400)
    expect(await accountsOf(email)).toHaveLength(1)
  }
})

it('rule 37: an attacker who signed up first, without a proof, can add nothing that outlives the owner', async () => {
  const email = anyEmail()
  const attacker = lax.client()
  expect((await signUp(attacker, email, attackersPassword)).status).toBe(200)
  await keyMailedTo(lax, email)
  const reauthenticated = await attacker.post('/api/allauth/app/v1/auth/reauthenticate', {
    password: attackersPassword,
  })
  expect(reauthenticated.status).toBe(200)
  const second = await attacker.call(profile.addAddress, { body: { email: anyEmail() } })
  expect(second.body).toMatchObject({ errors: [{ code: 'unverified_email' }] })
  expect((await attacker.call(getTotp, {})).status).toBe(409)
  expect((await attacker.call(addPasskey, { body: { credential: {} } })).status).toBe(400)

  await lax.client().call(contract.requestReset, { body: { email } })
  const key = keyIn((await lax.mails.next(email)).text, 'reset')
  await lax.client().call(contract.resetPassword, { body: { key, password } })
  expect((await attacker.call(contract.getSession, {})).status, 'his session is over').toBe(410)
  const owner = lax.client()
  const signedIn = await login(owner, email)
  expect(signedIn.status).toBe(200)
  const user_id = (signedIn.body as { data: { user: { id: string } } }).data.user.id
  expect(await addressesOf(lax.app.db, user_id)).toMatchObject([{ email, verified: true, is_primary: true }])
  expect(await findAccountByProvenEmail(lax.app.db, email)).toMatchObject({ user_id })
})

it('rule 37: no mail leads in a circle: forgotten password, no account, sign up, confirm, signed in', async () => {
  const email = anyEmail()
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email } }, elsewhere())
  await mails.next(email)
  await client().call(contract.requestReset, { body: { email } }, elsewhere())
  const forgotten = await mails.next(email)
  expect(forgotten.text).toContain('view=signup')
  expect(forgotten.text).not.toContain('reset=')
  await signUp(client(), email)
  await verify(await keyMailedTo(test, email))
  expect((await login(client(), email)).status).toBe(200)
  await signUp(client(), email, attackersPassword)
  const { text } = await mails.about(email, 'you already have one')
  expect(text).toContain('view=forgotten')
  expect(text, 'and never to another sign-up').not.toContain('view=signup')
})

it('rule 37: the recipient of an unrequested confirmation can end the account made in their name', async () => {
  const email = anyEmail()
  await signUp(client(), email, attackersPassword)
  const key = await keyMailedTo(test, email)
  const headers = { 'x-email-verification-key': key }
  const seen = await client().call(contract.inspectVerification, { headers })
  expect(seen.body).toMatchObject({ data: { email, user: { email }, is_new_account: true } })
  const [made] = await accountsOf(email)
  expect((await client().call(contract.disownAddress, { body: { key } })).body).toEqual({ status: 200 })
  expect(await accountsOf(email)).toEqual([])
  const { is_active } = await app.db
    .selectFrom('users')
    .select('is_active')
    .where('id', '=', must(made).user_id)
    .executeTakeFirstOrThrow()
  expect(is_active).toBe(false)
  expect((await login(client(), email, attackersPassword)).body).toMatchObject({
    errors: [{ code: 'email_password_mismatch' }],
  })
  expect((await verify(key)).status).toBe(400)
  expect((await client().call(contract.disownAddress, { body: { key } })).status).toBe(400)
})

it('rule 37: "this was not me" takes only the claim from an account that has an address of its own', async () => {
  const email = anyEmail()
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email } }, elsewhere())
  const { text } = await mails.next(email)
  expect(text, 'the mail says for which account').toContain(stranger.email)
  const key = keyIn(text, 'verify')
  const seen = await client().call(contract.inspectVerification, {
    headers: { 'x-email-verification-key': key },
  })
  expect(seen.body).toMatchObject({ data: { user: { email: stranger.email }, is_new_account: false } })
  await client().call(contract.disownAddress, { body: { key } })
  expect(await addressesOf(app.db, stranger.user_id)).toMatchObject([{ email: stranger.email }])
  expect((await stranger.api.call(contract.getSession, {})).status).toBe(200)
})

it('rule 37: claims end after a day, and with them accounts that were never signed in to', async () => {
  const [pending, added, renewed] = [anyEmail(), anyEmail(), anyEmail()]
  await signUp(client(), pending)
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email: added } }, elsewhere())
  await stranger.api.call(profile.addAddress, { body: { email: renewed } }, elsewhere())
  await signUp(client(), stranger.email, attackersPassword)
  const asFresh = await login(client(), stranger.email, attackersPassword)
  expect(asFresh.status, 'as if the address were nobody’s').toBe(401)
  await change(test, `update vain_sign_ups set signed_up_at = now() - interval '25 hours'`)
  const [{ user_id } = { user_id: '' }] = await accountsOf(pending)
  const late = `update email_addresses set claimed_at = now() - interval '25 hours'`
  await change(test, `${late} where email = any($1)`, [[pending, added, stranger.email]])
  await sweepClaims(app)
  expect(await accountsOf(pending)).toEqual([])
  expect((await login(client(), stranger.email, attackersPassword)).status).toBe(400)
  const gone = await app.db.selectFrom('users').select('id').where('id', '=', user_id).execute()
  expect(gone, 'not even a bare row is left').toEqual([])
  expect((await addressesOf(app.db, stranger.user_id)).map(({ email }) => email)).toEqual([
    stranger.email,
    renewed,
  ])
  const kept = await signedInCustomer(lax, { verified: false })
  await change(lax, late)
  await sweepClaims(lax.app)
  expect(await addressesOf(lax.app.db, kept.user_id), 'an account in use keeps its address').toHaveLength(1)
})

it('rule 37: a stranger does not use up the mail limit of the owner of the address', async () => {
  const email = anyEmail()
  const at = elsewhere()
  for (let tries = 0; tries < 8; tries += 1)
    await signUp(client(), email, `${attackersPassword}-${tries}`, at)
  const before = await mails.next(email)
  expect(before.text).toContain('verify=')
  const owner = client()
  await signUp(owner, email)
  const sent = await app.db
    .selectFrom('mails')
    .select('id')
    .where('to_address', '=', email)
    .where('letter', '=', 'confirm_email')
    .execute()
  expect(sent, 'five for a network in a quarter of an hour, and one for the owner').toHaveLength(6)
})

it('rule 38: a session with an old proof does not confirm an address of its own account', async () => {
  const customer = await signedInCustomer(test)
  const added = anyEmail()
  await customer.api.call(profile.addAddress, { body: { email: added } }, elsewhere())
  const key = await keyMailedTo(test, added)
  await change(test, `update sessions set methods = '[{"method":"password","at":1}]' where user_id = $1`, [
    customer.user_id,
  ])
  expect(await verify(key, customer.api)).toMatchObject({
    status: 401,
    body: { meta: { is_authenticated: true }, data: { flows: [{ id: 'reauthenticate' }] } },
  })
  expect((await addressesOf(app.db, customer.user_id))[1]).toMatchObject({ verified: false })
})

it('D21: a deleted account answers a sign-in as if there had never been one', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const closed = await browser.delete('/api/users/deactivate/', { email: account.email })
  expect(closed.status).toBe(204)
  expect((await login(client(), account.email)).body).toMatchObject({
    status: 400,
    errors: [{ code: 'email_password_mismatch', param: 'password' }],
  })
})
