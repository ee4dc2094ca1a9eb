import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createHost } from '#features/hosts/contract.ts'
import * as contract from '#features/profile/contract.ts'
import { ofEachField } from '#features/profile/fields.ts'
import { countryCodes, languageId } from '#features/profile/rules.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { personalData } from './profile.ts'

const test = await startTestApp()
const { app, mails } = test

it('P-02 returns all fields of the caller', async () => {
  const { api, user_id, email } = await signedInCustomer(test)
  const { status, body } = await api.call(contract.getProfile, {})
  expect(status).toBe(200)
  expect(body).toEqual({
    id: user_id,
    email,
    display: email,
    is_staff: false,
    ...ofEachField(() => ''),
    name: '',
    middle_name: '',
    surname: '',
    country: '',
    language: languageId('en'),
    time_zone: '',
    address: '',
    apartment: '',
    zip: '',
    city: '',
    state: '',
    company: '',
    vat_id: '',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    version: 1,
  })
})

it('P-01 answers 401 without a session', async () => {
  const { status, body } = await test.client().get('/api/users/detail/')
  expect(status).toBe(401)
  expect(body).toMatchObject({ errors: [{ code: 'not_authenticated' }] })
})

it('P-01 changes only the fields that were sent', async () => {
  const { api } = await signedInCustomer(test)
  await api.call(contract.updateProfile, { body: { name: 'Anna', city: 'Köln' } })
  const { body } = await api.call(contract.updateProfile, {
    body: { surname: '  Brückner ', country: 'DE', city: '' },
  })
  expect(body).toMatchObject({
    name: 'Anna',
    surname: 'Brückner',
    display: 'Anna Brückner',
    country: 'DE',
    city: '',
  })
  expect((await api.call(contract.getProfile, {})).body).toEqual(body)
  const longest = { ...ofEachField((name, { most }) => name.padEnd(most, 'x')), vat_id: 'DE123456789' }
  expect((await api.call(contract.updateProfile, { body: longest })).body).toMatchObject(longest)
})

it('rule 45: refuses an edit of an outdated state, and returns the present one', async () => {
  const { api } = await signedInCustomer(test)
  const edit = (body: object) => api.call(contract.updateProfile, { body })
  const { version } = bodyOf(await api.call(contract.getProfile, {}), 200)
  const first = bodyOf(await edit({ country: 'AT', version }), 200)
  expect(first.version).toBe(version + 1)
  const stale = await edit({ zip: '20095', version })
  expect(stale).toMatchObject({ status: 409, body: { errors: [{ code: 'changed' }], present: first } })
  expect(bodyOf(await edit({ zip: '20095', version: first.version }), 200)).toMatchObject({
    country: 'AT',
    zip: '20095',
  })
  // An edit without changes does not raise the version, nor does a change of the language, which is not part of a form.
  const same = bodyOf(await edit({ zip: '20095', language: languageId('de') }), 200)
  expect(same.version).toBe(first.version + 1)
  // A call without a version changes the named fields, even if other fields have changed meanwhile.
  expect((await edit({ city: 'Wien' })).status).toBe(200)
})

it('P-01 takes the language by its uuid, for pages and mails', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const { body } = await api.call(contract.updateProfile, { body: { language: languageId('ru') } })
  expect(body).toMatchObject({ language: languageId('ru') })
  expect((await api.call(contract.getProfile, {})).body).toMatchObject({ language: languageId('ru') })
  const user = await app.db.selectFrom('users').select('locale').where('id', '=', user_id).executeTakeFirst()
  expect(user?.locale).toBe('ru')
})

it('keeps the time zone, by any name that browsers send, and deletes it', async () => {
  const { api, user_id } = await signedInCustomer(test)
  for (const time_zone of ['Asia/Kolkata', 'Asia/Calcutta', 'UTC', 'Europe/Kyiv']) {
    const { body } = await api.call(contract.updateProfile, { body: { time_zone } })
    expect(body).toMatchObject({ time_zone })
    expect((await api.call(contract.getProfile, {})).body).toMatchObject({ time_zone })
  }
  expect((await api.call(contract.updateProfile, { body: { time_zone: '' } })).body).toMatchObject({
    time_zone: '',
  })
  const user = await app.db
    .selectFrom('users')
    .select('time_zone')
    .where('id', '=', user_id)
    .executeTakeFirst()
  expect(user).toEqual({ time_zone: null })
})

it('R-12 staff choose the page on which they begin; nobody else has the choice', async () => {
  const [member, { api }] = await Promise.all([signedInStaff(test), signedInCustomer(test)])
  expect((await member.api.call(contract.getProfile, {})).body).toMatchObject({ first_page: 'servers' })
  const chosen = await member.api.call(contract.updateProfile, { body: { first_page: 'tickets' } })
  expect(chosen.body).toMatchObject({ first_page: 'tickets' })
  expect((await member.api.call(contract.getProfile, {})).body).toMatchObject({ first_page: 'tickets' })
  const refused = await api.call(contract.updateProfile, { body: { first_page: 'tickets' } })
  expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 'not_allowed' }] } })
  expect((await api.call(contract.getProfile, {})).body).not.toHaveProperty('first_page')
})

it('F-02 keeps the company and its VAT id, written one way', async () => {
  const { api } = await signedInCustomer(test)
  const typed = { company: 'Brückner & Söhne GmbH', vat_id: ' de 123.456-789 ' }
  const { body } = await api.call(contract.updateProfile, { body: typed })
  expect(body).toMatchObject({ company: 'Brückner & Söhne GmbH', vat_id: 'DE123456789' })
  const emptied = await api.call(contract.updateProfile, { body: { vat_id: '' } })
  expect(emptied.body).toMatchObject({ company: 'Brückner & Söhne GmbH', vat_id: '' })
})

it.each([
  [{ country: 'XX' }, 'unknown_country', 'country'],
  [{ country: 'de' }, 'unknown_country', 'country'],
  [{ language: 'de' }, 'unknown_language', 'language'],
  [{ time_zone: 'Mars/Olympus' }, 'unknown_time_zone', 'time_zone'],
  [{ time_zone: '+01:00' }, 'unknown_time_zone', 'time_zone'],
  [{ vat_id: 'DE12345678' }, 'invalid_vat_id', 'vat_id'],
  [{ vat_id: 'US123456789' }, 'invalid_vat_id', 'vat_id'],
  [{ name: 'x'.repeat(101) }, 'max_length', 'name'],
  [{ name: 7 }, 'invalid', 'name'],
  [{ first_page: 'moon' }, 'invalid', 'first_page'],
  [{ name: 'a\0b' }, 'null_characters_not_allowed', 'name'],
  [{ is_staff: true }, 'unknown_field', 'is_staff'],
  [{ email: 'other@example.com' }, 'unknown_field', 'email'],
])('V-03 refuses %j with %s at %s', async (change, code, param) => {
  const { api } = await signedInCustomer(test)
  const { status, body } = await api.patch('/api/users/update/', change)
  expect(status).toBe(400)
  expect(body).toEqual({ status: 400, errors: [{ code, param, message: expect.any(String) }] })
})

it('rule 23: a text that grows by composition is checked in its stored form', async () => {
  const { api } = await signedInCustomer(test)
  // U+0958 becomes two code points in NFC.
  const { status } = await api.patch('/api/users/update/', { name: '\u0958'.repeat(100) })
  expect(status).toBe(400)
  expect((await api.patch('/api/users/update/', { name: '😀'.repeat(100) })).status).toBe(200)
})

it('P-01 lists languages and countries', async () => {
  const languages = await test.api.call(contract.listLanguages, {})
  expect(languages.body.map((language) => language.slug)).toEqual(['en', 'de', 'ru'])
  const countries = await test.api.call(contract.listCountries, {})
  expect(countries.body).toHaveLength(249)
  expect(countries.body).toContainEqual({ code: 'DE', name: 'Germany' })
  expect(countryCodes).toEqual([...new Set(countryCodes)].toSorted())
})

it('P-04 deletes the account and all data about the person', async () => {
  const { api, user_id, email } = await signedInCustomer(test)
  await api.call(contract.updateProfile, { body: { name: 'Unforgettable' } })
  const headers = { 'idempotency-key': randomUUID() }
  bodyOf(await api.call(createHost, { headers, body: { name: 'unforgettable' } }), 201)
  const second = api.copy()
  const deleted = await api.call(contract.deactivate, { body: { email: email.toUpperCase() } })
  expect(deleted.status).toBe(204)
  const again = await second.get('/api/users/detail/', { session_token: null })
  expect(again.status).toBe(401)
  expect((await second.get('/api/allauth/app/v1/account/email')).status).toBe(410)
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  expect(user).toMatchObject({ is_active: false, is_staff: false, email: `${user_id}@deleted.invalid` })
  for (const table of ['profiles', 'email_addresses', 'sessions', 'idempotency_keys'] as const) {
    const rows = await app.db.selectFrom(table).select('user_id').where('user_id', '=', user_id).execute()
    expect(rows, table).toEqual([])
  }
  expect((await mails.next(email)).subject).toBe('Your account has been deleted')
})

it('P-04 frees the address for another account', async () => {
  const first = await signedInCustomer(test)
  await first.api.call(contract.deactivate, { body: {} })
  const second = await signedInCustomer(test, { email: first.email })
  expect((await second.api.call(contract.getProfile, {})).body).toMatchObject({ email: first.email })
})

it("P-04 refuses an e-mail that is not the account's", async () => {
  const { api } = await signedInCustomer(test)
  const { status, body } = await api.call(contract.deactivate, { body: { email: 'other@example.com' } })
  expect(status).toBe(400)
  expect(body).toMatchObject({ errors: [{ code: 'email_does_not_match', param: 'email' }] })
  expect((await api.call(contract.getProfile, {})).status).toBe(200)
})

it('rule 20: deletes nothing without a recent proof of identity', async () => {
  const { api } = await signedInCustomer(test, { proven_s_ago: 301 })
  const { status, body } = await api.call(contract.deactivate, { body: {} })
  expect(status).toBe(403)
  expect(body).toMatchObject({ errors: [{ code: 'reauthentication_required' }] })
  expect((await api.call(contract.getProfile, {})).status).toBe(200)
})

it('answers profile reads that race with the deletion with 401, never 5xx', async () => {
  const { api } = await signedInCustomer(test)
  const reads = Array.from({ length: 40 }, () => api.get('/api/users/detail/', { session_token: null }))
  const [deleted, ...answers] = await Promise.all([api.call(contract.deactivate, { body: {} }), ...reads])
  expect(deleted.status).toBe(204)
  for (const { status } of answers) expect([200, 401]).toContain(status)
})

it('V-02 gives the words that a password must not resemble', async () => {
  const { api, user_id, email } = await signedInCustomer(test)
  await api.call(contract.updateProfile, { body: { name: 'Anna', surname: 'Brückner' } })
  expect(await personalData(app.db, user_id)).toEqual([email, 'Anna', 'Brückner'])
})

it('a profile keeps the creation time of its account, and no other can be set', async () => {
  const { user_id } = await signedInCustomer(test)
  const ages = await transaction(app, 'system', async (tx) => {
    await sql`update users set created_at = created_at - interval '1 day' where id = ${user_id}`.execute(tx)
    const { rows } = await sql`
      select from users join profiles on user_id = id and profiles.created_at = users.created_at where id = ${user_id}`.execute(
      tx,
    )
    return rows.length
  })
  expect(ages).toBe(1)
  const alone = sql`update profiles set created_at = created_at + interval '1 second' where user_id = ${user_id}`
  await expect(transaction(app, 'system', async (tx) => alone.execute(tx))).rejects.toThrow(
    'as_old_as_its_account',
  )
})
