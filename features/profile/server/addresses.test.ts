import pg from 'pg'
import { expect, it } from 'vitest'
import * as contract from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import {
  insertAddress,
  addressesOf,
  findAccountByProvenEmail,
  hasUnverifiedAddress,
  inspectVerificationKey,
  verifyAddress,
} from './profile.ts'

// Ten changes of addresses a minute are allowed; the last test counts them.
const test = await startTestApp()
const { app, mails } = test

const path = '/api/allauth/app/v1/account/email'
const fresh = () => anyEmail()
const refusal = (code: string, param = 'email') => ({
  status: 400,
  errors: [{ code, param, message: expect.any(String) }],
})
const verify = (key: string) => transaction(app, 'system', (tx) => verifyAddress(app, tx, key))

async function keyMailedTo(email: string): Promise<string> {
  const { text } = await mails.next(email)
  const [link] = /http:\S+/.exec(text ?? '') ?? []
  const url = new URL(link ?? 'none:')
  expect(url.origin + url.pathname).toBe('http://localhost:3000/account/auth')
  return url.searchParams.get('verify') ?? ''
}

async function addProven({ api }: Customer): Promise<string> {
  const email = fresh()
  expect((await api.call(contract.addAddress, { body: { email } })).status).toBe(200)
  await verify(await keyMailedTo(email))
  return email
}

/** Deletes all counts of attempts, as if the last mail to each address had gone out long ago. */
async function forgetMails(): Promise<void> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query('delete from attempts')
  await owner.end()
}

it('lists the addresses, oldest first', async () => {
  const { api, email } = await signedInCustomer(test)
  expect((await api.call(contract.listAddresses, {})).body).toEqual({
    status: 200,
    data: [{ email, verified: true, primary: true }],
  })
})

it('adds an address, mails the key there and a notice to the primary one', async () => {
  const { api, email, user_id } = await signedInCustomer(test)
  const added = fresh()
  const { status, body } = await api.call(contract.addAddress, {
    body: { email: ` ${added.toUpperCase()} ` },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: [{ email }, { email: added, verified: false, primary: false }] })
  expect(await hasUnverifiedAddress(app.db, user_id)).toBe(true)
  const notice = await mails.next(email)
  expect(notice.subject).toBe('An email address was added to your account')
  expect(notice.text).toContain(added)
  expect(notice.text).toContain('127.0.0.1')
  const key = await keyMailedTo(added)
  expect(await inspectVerificationKey(app.db, key)).toMatchObject({ email: added, user_id })
  expect(await verify(key)).toMatchObject({ email: added, verified: true, is_primary: false })
  expect(await hasUnverifiedAddress(app.db, user_id)).toBe(false)
  await expect(verify(key)).rejects.toMatchObject({
    errors: [{ code: 'invalid_or_expired_key', param: 'key' }],
  })
})

it('adding an address without a session is a 409, every other call a 401', async () => {
  const api = test.client()
  expect(await api.post(path, { email: fresh() })).toMatchObject({ status: 409, body: { status: 409 } })
  expect((await api.post(path, {})).body).toEqual(refusal('required'))
  for (const method of ['get', 'put', 'patch', 'delete'] as const)
    expect((await api[method](path)).status).toBe(401)
})

// The answer once had a form that the contract does not declare, and became a 500.
it('rule 47: a change that waits while its account is deactivated answers 401, like any request that is signed out', async () => {
  const customer = await signedInCustomer(test)
  const { api, user_id } = customer
  const email = await addProven(customer)
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query('begin')
  await owner.query("select set_config('app.actor', 'system', true)")
  await owner.query('update users set is_active = false where id = $1', [user_id])
  const waiting = api.call(contract.removeAddress, { body: { email } })
  await expect
    .poll(async () => (await owner.query('select from pg_locks where not granted')).rowCount)
    .toBe(1)
  await owner.query('commit')
  await owner.end()
  expect(await waiting).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
})

it.each([
  ['POST', {}, 'required'],
  ['POST', { email: 'nothing' }, 'invalid'],
  ['POST', { email: `${'x'.repeat(250)}@example.com` }, 'max_length'],
  ['PUT', { email: 'stranger@example.com' }, 'unknown_email'],
  ['PATCH', { email: 'stranger@example.com', primary: true }, 'unknown_email'],
  ['DELETE', { email: 'stranger@example.com' }, 'unknown_email'],
])('V-03 refuses %s %j with %s', async (method, body, code) => {
  const { api } = await signedInCustomer(test)
  const name = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  expect((await api[name](path, body)).body).toEqual(refusal(code))
})

it('refuses primary: false and a missing one as missing', async () => {
  const { api, email } = await signedInCustomer(test)
  expect((await api.patch(path, { email, primary: false })).body).toEqual(refusal('required', 'primary'))
  expect((await api.patch(path, { email })).body).toEqual(refusal('required', 'primary'))
})

it('rule 23: takes up to the 64 octets of RFC 5321 before the @, and nothing that the next server refuses', async () => {
  const { api } = await signedInCustomer(test)
  expect((await api.post(path, { email: `${'a'.repeat(64)}@example.com` })).status).toBe(200)
  // U+0130 becomes two code points in lower case.
  for (const long of ['a'.repeat(65), '\u{1f600}'.repeat(17), '\u0130'.repeat(200)])
    expect((await api.post(path, { email: `${long}@example.com` })).body).toEqual(refusal('invalid'))
  expect((await api.post(path, { email: `${'\u{1f600}'.repeat(16)}@example.com` })).body).toEqual(
    refusal('unreachable_email'),
  )
})

it('rule 37: refuses as a duplicate an address that differs only in the spelling of its domain (punycode, full-width)', async () => {
  const { api } = await signedInCustomer(test)
  const name = must(fresh().split('@')[0])
  expect((await api.post(path, { email: `${name}@bücher.example` })).status).toBe(200)
  for (const twin of [`${name}@xn--bcher-kva.example`, `${name}@ＢÜＣＨＥＲ.example`])
    expect((await api.post(path, { email: twin })).body).toEqual(refusal('duplicate_email'))
})

it('refuses an address twice', async () => {
  const { api, email } = await signedInCustomer(test)
  expect((await api.post(path, { email })).body).toEqual(refusal('duplicate_email'))
})

it('refuses another address while two-factor is on', async () => {
  const { api, user_id } = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => updateUser(tx, user_id, { factors: ['totp', 'recovery_codes'] }))
  expect((await api.post(path, { email: fresh() })).body).toEqual(refusal('add_email_blocked'))
})

it('takes an address of another customer silently; only its owner can prove it', async () => {
  const owner = await signedInCustomer(test)
  const other = await signedInCustomer(test)
  const { status, body } = await other.api.call(contract.addAddress, { body: { email: owner.email } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: [{}, { email: owner.email, verified: false }] })
  const key = await keyMailedTo(owner.email)
  await expect(inspectVerificationKey(app.db, key)).rejects.toMatchObject({
    errors: [{ code: 'email_taken' }],
  })
  await expect(verify(key)).rejects.toMatchObject({ errors: [{ code: 'email_taken', param: 'key' }] })
  expect(await findAccountByProvenEmail(app.db, owner.email)).toMatchObject({ user_id: owner.user_id })
})

it('sends the confirmation again, once in 180 s', async () => {
  const { api, email } = await signedInCustomer(test)
  const added = fresh()
  await api.call(contract.addAddress, { body: { email: added } })
  expect(await api.put(path, { email: added })).toMatchObject({ status: 403, body: { status: 403 } })
  const first = await keyMailedTo(added)
  await forgetMails()
  expect(await api.put(path, { email: added })).toMatchObject({ status: 200, body: { status: 200 } })
  const second = await keyMailedTo(added)
  expect(second).not.toBe(first)
  await verify(first)
  await expect(verify(second)).rejects.toMatchObject({ errors: [{ code: 'invalid_or_expired_key' }] })
  expect((await api.put(path, { email })).status).toBe(200)
})

it('a key is dead after three days', async () => {
  const { api } = await signedInCustomer(test)
  const added = fresh()
  await api.call(contract.addAddress, { body: { email: added } })
  const key = await keyMailedTo(added)
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query(`update verification_keys set expires_at = now()`)
  await owner.end()
  await expect(inspectVerificationKey(app.db, key)).rejects.toMatchObject({
    errors: [{ code: 'invalid_or_expired_key' }],
  })
})

it('makes a proven address the primary one and notifies the old one', async () => {
  const customer = await signedInCustomer(test)
  const { api, email } = customer
  const added = await addProven(customer)
  await mails.next(email)
  const { body } = await api.call(contract.makePrimary, { body: { email: added, primary: true } })
  expect(body).toMatchObject({
    data: [
      { email, primary: false },
      { email: added, primary: true },
    ],
  })
  expect((await api.call(contract.getProfile, {})).body).toMatchObject({ email: added })
  const notice = await mails.next(email)
  expect(notice.subject).toBe('The primary email address of your account was changed')
  expect(notice.text).toContain(added)
})

it('refuses an unproven address as primary while another is proven', async () => {
  const { api } = await signedInCustomer(test)
  const added = fresh()
  await api.call(contract.addAddress, { body: { email: added } })
  expect((await api.patch(path, { email: added, primary: true })).body).toEqual(
    refusal('unverified_primary_email'),
  )
})

it('rule 37: adds nothing to an account that has proven no address', async () => {
  const { api, user_id } = await signedInCustomer(test, { verified: false })
  expect((await api.call(contract.addAddress, { body: { email: fresh() } })).body).toEqual(
    refusal('unverified_email'),
  )
  await expect(
    transaction(app, 'system', (tx) =>
      insertAddress(tx, { user_id, email: fresh(), is_primary: false, verified: false }),
    ),
    'the database refuses it, too',
  ).rejects.toMatchObject({ code: '23514' })
})

it('rule 38: adding, confirming, making primary and removing need a proof of the last 300 s', async () => {
  const { api, email, user_id } = await signedInCustomer(test, { proven_s_ago: 301 })
  const { address } = await signedInCustomer(test)
  const before = await addressesOf(app.db, user_id)
  for (const answer of [
    await api.call(contract.addAddress, { body: { email: fresh() } }),
    await api.call(contract.resendConfirmation, { body: { email } }),
    await api.call(contract.makePrimary, { body: { email, primary: true } }),
    await api.call(contract.removeAddress, { body: { email: address.email } }),
  ])
    expect(answer).toMatchObject({
      status: 401,
      body: { data: { flows: [{ id: 'reauthenticate' }] }, meta: { is_authenticated: true } },
    })
  expect(await addressesOf(app.db, user_id)).toEqual(before)
  expect((await api.call(contract.listAddresses, {})).status).toBe(200)
})

it('rule 38: the operator may leave the proof away', async () => {
  const lax = await startTestApp({ settings: { REAUTHENTICATE_FOR_ADDRESSES: 'off' } })
  const { api } = await signedInCustomer(lax, { proven_s_ago: 3600 })
  expect((await api.call(contract.addAddress, { body: { email: fresh() } })).status).toBe(200)
  await lax.close()
})

it('removes an address, but not the primary one, and notifies both', async () => {
  const customer = await signedInCustomer(test)
  const { api, email, user_id } = customer
  expect((await api.delete(path, { email })).body).toEqual(refusal('cannot_remove_primary_email'))
  const added = await addProven(customer)
  expect((await api.delete(path, { email })).body).toEqual(refusal('cannot_remove_primary_email'))
  await mails.next(email)
  const { body } = await api.call(contract.removeAddress, { body: { email: added } })
  expect(body).toMatchObject({ data: [{ email }] })
  expect(await addressesOf(app.db, user_id)).toHaveLength(1)
  expect((await mails.next(email)).subject).toBe('An email address was removed from your account')
  expect((await mails.next(added)).subject).toBe('An email address was removed from your account')
})

it('rule 4: cannot touch the addresses of another customer', async () => {
  const owner = await signedInCustomer(test)
  const other = await signedInCustomer(test)
  expect((await other.api.delete(path, { email: owner.email })).body).toEqual(refusal('unknown_email'))
  expect((await other.api.patch(path, { email: owner.email, primary: true })).body).toEqual(
    refusal('unknown_email'),
  )
  expect(await addressesOf(app.db, owner.user_id)).toHaveLength(1)
})

it('answers ten changes a minute, then 429', async () => {
  const { api } = await signedInCustomer(test)
  for (let count = 0; count < 10; count += 1) expect((await api.put(path, {})).status).toBe(400)
  const { status, body, headers } = await api.put(path, {})
  expect([status, body]).toEqual([429, { status: 429 }])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.get(path)).status).toBe(200)
})
