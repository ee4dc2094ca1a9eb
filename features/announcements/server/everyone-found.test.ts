import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/announcements/contract.ts'
import { sumInvoices } from '#features/books/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

/** More customers than a search of the list finds at most. */
const PEOPLE = 1500

const test = await startTestApp()
const admin = await superuserOf(test)
afterAll(() => admin.end())
const jonas = await signedInStaff(test, { roles: ['support'] })

await admin.query('begin')
await admin.query('set local session_replication_role = replica')
await admin.query(`with made as (
    insert into users (email) select 'reader@' || n || '.example.org' from generate_series(1, ${PEOPLE}) n returning id, email),
  addresses as (
    insert into email_addresses (user_id, email, verified_at, is_primary) select id, email, now(), true from made),
  named as (
    insert into profiles (user_id, name, surname, company, address, vat_id)
    select id, 'Erika', 'Quandt', 'Wollwerk GmbH', 'Lindenallee 5', 'DE136695976' from made)
  insert into hosts (public_id, user_id, name, licence_key, ipv4)
  select lpad(row_number() over ()::text, 22, 'H'), id, 'rack-' || row_number() over (), lpad(row_number() over ()::text, 32, 'K'),
    '10.20.0.0'::inet + row_number() over () from made`)
await admin.query(`insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, issued_at, locale, currency, net, vat,
    total, vat_kind, vat_country, vat_rate_bp, keep_until)
  select lpad(n::text, 22, 'I'), user_id, 2020, n, 'X-2020-' || n, 'invoice', gen_random_uuid(), now(), 'en', 'EUR', 100, 0,
    100, 'outside_eu', 'US', 0, current_date + 1
  from (select user_id, row_number() over () as n from profiles where surname = 'Quandt') as made`)
await admin.query('commit')
await admin.query('analyze')

const words = {
  title: { en: 'New switches', de: 'Neue Switches', ru: 'Новые коммутаторы' },
  text: { en: 'Short cuts.', de: 'Kurze Ausfälle.', ru: 'Короткие перерывы.' },
}
const write = (q: string) =>
  jonas.api.call(contract.createAnnouncement, {
    headers: {},
    body: { kind: 'incident', ...words, scope: { customers: { q } } },
  })

// This test failed while a letter took the first 1,000 whom the search of the list finds, and said nothing of the others.
it.each([
  ['a surname', 'Quandt'],
  ['a company', 'Wollwerk'],
  ['a street', 'Lindenallee'],
  ['names of servers', 'rack-'],
  ['a network', '10.20.0.0/16'],
  ['a part of an email address', 'reader'],
  ['the beginning of an email address', 'reader@'],
  ['a VAT ID', 'DE136695976'],
])('N-02 a letter reaches everybody whom %s finds, however many', async (_name, q) => {
  const { id: announcementId } = bodyOf(await write(q), 201)
  const reach = await jonas.api.call(contract.countRecipients, { params: { announcementId } })
  expect(reach.body).toMatchObject({ customers: PEOPLE })
})

// This test failed while the documents of the first 1,000 customers were summed, without a word of the others.
it('sums the documents of everybody whom a search finds', async () => {
  const billing = await signedInStaff(test, { roles: ['billing'] })
  const { body } = await billing.api.call(sumInvoices, { query: { q: 'Wollwerk' } })
  expect(body).toMatchObject({ count: PEOPLE, net: { amount: `${PEOPLE}00` } })
})

// This test failed while such a letter was written and published, and went to nobody: only those find by an IBAN who read statements.
it.each(['…8765', 'DE02120300000000202051', '8765'])(
  'N-02 refuses a letter to those whom the list may find by an IBAN (%s)',
  async (q) => {
    expect(await write(q)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'iban_in_filter', param: 'scope' }] },
    })
  },
)

it('N-02 publishes no letter with such a search that was written before it was refused', async () => {
  const draft = bodyOf(await write('#8765'), 201)
  const { rows } = await admin.query<{ version: number }>(
    `update announcements set scope = '{"customers": {"q": "8765"}}' where id = $1 returning version`,
    [draft.id],
  )
  const reply = await jonas.api.call(contract.publishAnnouncement, {
    params: { announcementId: draft.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { version: must(rows[0]).version },
  })
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ code: 'iban_in_filter' }] } })
})
