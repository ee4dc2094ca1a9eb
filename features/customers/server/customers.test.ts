import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import * as contract from '#features/customers/contract.ts'
import { listStaffHosts, type StaffHost } from '#features/customers/host-contract.ts'
import { MOST_NOTES, sorts, type Sort } from '#features/customers/rules.ts'
import { chargeBackTopUp, confirmTopUp, startTopUp } from '#features/finance/contract.ts'
import { createHost } from '#features/hosts/contract.ts'
import { deactivate, updateProfile } from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { checkIn, tokenFor } from '#tests/harness/agents.ts'
import { addHost, asOwner, bodyOf, giveLicence } from '#tests/harness/hosts.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const staff = await signedInStaff(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())

type Query = InputOf<typeof contract.listCustomers>['query']
const list = async (query: Query = {}) => {
  const { status, body } = await staff.api.call(contract.listCustomers, { query })
  if (status !== 200) throw new Error('no list')
  return body
}
const idsOf = async (query: Query) => (await list(query)).items.map(({ id }) => id)

async function somebody(
  given: { name?: string; surname?: string; company?: string } = {},
): Promise<Customer> {
  const customer = await signedInCustomer(test)
  await customer.api.call(updateProfile, { body: given })
  return customer
}

it('C-01 finds a customer by whatever is known of them, and says by what', async () => {
  const anna = await somebody({ name: 'Annegret', surname: 'Öztürk', company: 'Zwölf & Söhne' })
  const host = await anna.api.call(createHost, {
    headers: {},
    body: { name: 'lonely-heron-7', ipv4: '198.51.100.77', ipv6: '2001:db8:77::/64' },
  })
  if (host.status !== 201) throw new Error('no host')
  const ticket = await anna.api.call(createTicket, {
    body: { subject: 'No ping', message: 'It does not answer.', topic: 'technical' },
  })
  if (ticket.status !== 201) throw new Error('no ticket')
  const found = async (q: string) => (await list({ q })).items.map(({ id, matched }) => ({ id, matched }))
  const person = [{ id: anna.user_id, matched: null }]
  for (const name of ['annegret öz', 'Öztürk, Annegret']) expect(await found(name), name).toEqual(person)
  await anna.api.call(updateProfile, { body: { address: 'Am Lindenweg 5', vat_id: 'DE 136 695 976' } })
  const street = { kind: 'street', text: 'Am Lindenweg 5' }
  expect(await found('lindenweg 5')).toEqual([{ id: anna.user_id, matched: street }])
  expect(await found('de136695976')).toEqual([
    { id: anna.user_id, matched: { kind: 'vat_id', text: 'DE136695976' } },
  ])
  const key = host.body.licence_key
  for (const [q, text] of [
    ['198.51.100.', '198.51.100.77'],
    ['198.51.100.64/28', '198.51.100.77'],
    ['2001:db8:77:', '2001:db8:77::/64'],
    [key.toLowerCase().replaceAll('-', ' ').replace(' ', '-'), 'lonely-heron-7'],
  ] as const)
    expect(await found(q), q).toEqual([{ id: anna.user_id, matched: { kind: 'host', text } }])
  // A part of a key would let staff guess the rest, which they may not read.
  expect(await found(key.slice(0, 23))).toEqual([])
  expect(await found('zwölf & s')).toEqual(person)
  expect(await found(anna.email.slice(0, anna.email.indexOf('@') + 3))).toEqual(person)
  expect(await found(anna.user_id)).toEqual(person)
  // The search finds an address in the network of a server, in any spelling.
  expect(await found('2001:0DB8:77:0::5')).toEqual([
    { id: anna.user_id, matched: { kind: 'host', text: '2001:db8:77::/64' } },
  ])
  expect(await found('198.51.100.77')).toEqual([
    { id: anna.user_id, matched: { kind: 'host', text: '198.51.100.77' } },
  ])
  expect(await found('Lonely-h')).toEqual([
    { id: anna.user_id, matched: { kind: 'host', text: 'lonely-heron-7' } },
  ])
  expect(await found(`#${ticket.body.number}`)).toEqual([
    { id: anna.user_id, matched: { kind: 'ticket', text: `#${ticket.body.number} No ping` } },
  ])
  for (const nothing of [
    '%',
    '198.51.100.78',
    '198.51.101.',
    '2026-99999',
    '#99999999',
    'HD-2026-999999',
    'HD-AAAA-0000',
    randomUUID(),
    'nobody@',
  ])
    expect(await found(nothing), nothing).toEqual([])
})

it('finds who announced a transfer, however its reference was copied, and who has an invoice', async () => {
  const customer = await somebody()
  const begun = await customer.api.call(startTopUp, {
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: '2500', provider: 'bank' },
  })
  if (begun.status !== 201) throw new Error('no transfer')
  const reference = must(begun.body.bank?.reference)
  const [row] = (await list({ q: reference.toLowerCase().replaceAll('-', ' ') })).items
  expect(row).toMatchObject({ id: customer.user_id, matched: { kind: 'transfer', text: reference } })
  const { number } = await issuedInvoice(test.app, customer.user_id)
  const [, year, place] = must(/^\w+-(\d+)-0*(\d+)$/.exec(number))
  for (const q of [number, `${year}-${place}`, `hd-${year}-${place}`, must(place)]) {
    const { items } = await list({ q })
    expect(
      items.map(({ id, matched }) => [id, matched?.text]),
      q,
    ).toEqual([[customer.user_id, number]])
  }
})

it('finds who paid from an account by the end of its IBAN, for those who may read bank statements alone', async () => {
  const payer = await somebody()
  const support = await signedInStaff(test, { roles: ['support'] })
  await admin.query(
    `with file as (
       insert into bank_files (sha256, account_iban, statement_id, currency, kind)
       values ('\\x00', 'DE00', '1', 'EUR', 'csv') returning id)
     insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, match, place,
       user_id, state)
     select id, 'DE00', '2026-01-01', 500, 'EUR', 'X', 'DE89370400440532018765', '', '', '\\x00', 1, 'exact', 1, $1, 'booked' from file`,
    [payer.user_id],
  )
  const found = async (q: string, by = staff) => {
    const { status, body } = await by.api.call(contract.listCustomers, { query: { q } })
    return status === 200 && body.items.map(({ id, matched }) => [id, matched?.kind])
  }
  for (const q of ['8765', '…1 8765', 'de89 3704 0044 0532 0187 65']) {
    expect(await found(q), q).toEqual([[payer.user_id, 'iban']])
    expect(await found(q, support), q).toEqual([])
  }
})

it('walks all customers page by page in each order, each once, whatever their times have in common', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => somebody()))
  // The times are microseconds apart, and some are equal: a cursor with a rounded time would skip a customer or show one twice.
  await admin.query(
    `update users set created_at = timestamptz '2020-01-01T00:00:00.000001Z' + place * interval '1 microsecond', last_login_at = case place when 2 then null else now() end
     from (select id, (row_number() over () / 2)::int as place from unnest($1::uuid[]) as id) as those where users.id = those.id`,
    [people.map(({ user_id }) => user_id)],
  )
  const everybody = new Set((await list({ limit: '100' })).items.map(({ id }) => id))
  const orders = new Map<Sort, string[]>()
  for (const sort of sorts) {
    const walked: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ sort, limit: '2', ...(cursor ? { cursor } : {}) })
      walked.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(walked.length).toBe(everybody.size)
    expect(new Set(walked)).toEqual(everybody)
    orders.set(sort, walked)
  }
  for (const sort of ['created_at', 'balance'] as const)
    expect(orders.get(`${sort}_asc`)).toEqual(orders.get(sort)?.toReversed())
  const { next_cursor } = await list({ sort: 'created_at', limit: '2' })
  const other = await staff.api.call(contract.listCustomers, {
    query: { sort: 'last_login_at', cursor: must(next_cursor) },
  })
  expect(other.status).toBe(400)
})

it('has who never signed in last by the last sign-in, in both directions', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => somebody()))
  const [early = '', never = '', late = ''] = people.map(({ user_id }) => user_id)
  // The youngest account: it stood on top while the age of an account stood for its last sign-in.
  await admin.query(
    `update users set created_at = case id when $2 then now() else created_at end,
       last_login_at = case id when $1 then timestamptz '1999-01-01' when $3 then now() + interval '1 day' end
     where id in ($1, $2, $3)`,
    [early, never, late],
  )
  const descending = await idsOf({ sort: 'last_login_at', limit: '100' })
  const ascending = await idsOf({ sort: 'last_login_at_asc', limit: '100' })
  expect([descending[0], ascending[0]]).toEqual([late, early])
  for (const ids of [descending, ascending])
    expect(ids.indexOf(never)).toBeGreaterThan(Math.max(ids.indexOf(early), ids.indexOf(late)))
})

it('sorts all by balance, also who never had one, and finds who owes', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => somebody()))
  const [rich = '', poor = '', owing = '', owingMore = '', none = ''] = people.map(({ user_id }) => user_id)
  await addMoney(test.app, rich, 900_00n)
  await addMoney(test.app, poor, 1n)
  await fallIntoDebt(must(people[2]))
  const order = (ids: string[]) => ids.filter((id) => [rich, poor, owing, none].includes(id))
  const byBalance = await idsOf({ sort: 'balance', limit: '100' })
  expect(order(byBalance)).toEqual([rich, poor, none, owing])
  expect(await idsOf({ sort: 'balance_asc', limit: '100' })).toEqual(byBalance.toReversed())
  expect(byBalance).toHaveLength((await idsOf({ limit: '100' })).length)
  const owingRows = (await list({ debt: 'yes' })).items
  expect(owingRows.map(({ id, balance }) => [id, balance.amount])).toEqual([[owing, '-500']])
  // This test failed while the list, and so its file, said how much is owed and not since when.
  await asOwner(test, `update debts set began_at = began_at - interval '12 days' where user_id = $1`, [owing])
  const [aged] = (await list({ debt: 'yes' })).items
  expect(aged?.owes?.days).toBe(12)
  expect(aged?.owes?.since.slice(0, 10)).toBe(
    new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10),
  )
  expect((await list({ sort: 'balance' })).items[0]).not.toHaveProperty('owes')
  await fallIntoDebt(must(people[3]))
  await addMoney(test.app, owing, 1n)
  expect(await idsOf({ debt: 'yes' })).toEqual([owingMore, owing])
  expect(await idsOf({ debt: 'yes', sort: 'balance' })).toEqual([owing, owingMore])
  const byAge = await idsOf({ sort: 'created_at', limit: '100' })
  expect(await idsOf({ debt: 'yes', sort: 'created_at' })).toEqual(
    byAge.filter((id) => [owing, owingMore].includes(id)),
  )
})

/** Pays 10 by bank transfer, spends 5 of it, and takes the 10 back. */
async function fallIntoDebt(customer: Customer): Promise<void> {
  const headers = () => ({ 'idempotency-key': randomUUID() })
  const begun = await customer.api.call(startTopUp, {
    headers: headers(),
    body: { amount: '1000', provider: 'bank' },
  })
  if (begun.status !== 201) throw new Error('no transfer')
  const params = { userId: customer.user_id, id: begun.body.id }
  await staff.api.call(confirmTopUp, { params, headers: headers(), body: { reason: 'Came in' } })
  await move(test.app, {
    type: 'spend',
    user_id: customer.user_id,
    amount: 5_00n,
    description: { code: 'licence_order', params: { host: 'one', plan: 'Standard' } },
  })
  await staff.api.call(chargeBackTopUp, { params, headers: headers(), body: { reason: 'Taken back' } })
}

it('tells who never proved an address, and how somebody signs in, without any secret', async () => {
  const unproven = await signedInCustomer(test, { verified: false })
  expect(await idsOf({ state: 'unconfirmed' })).toContain(unproven.user_id)
  expect(await idsOf({ state: 'active', limit: '100' })).not.toContain(unproven.user_id)
  const { status, body } = await staff.api.call(contract.getCustomerAccount, {
    params: { userId: unproven.user_id },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    state: 'unconfirmed',
    addresses: [{ email: unproven.email, primary: true, proven: false }],
    two_factor: [],
    sessions: [{ ip: '127.0.0.1', user_agent: 'tests' }],
  })
  for (const secret of [unproven.api.session_token, unproven.api.access_token])
    expect(JSON.stringify(body)).not.toContain(secret)
})

it('lists servers and invoices of one customer, and nothing of a deleted or unknown one', async () => {
  const customer = await somebody()
  await customer.api.call(createHost, { headers: {}, body: { name: 'one' } })
  const params = { userId: customer.user_id }
  const hosts = await staff.api.call(contract.listCustomerHosts, { params, query: {} })
  expect(hosts.status === 200 && hosts.body.items.map(({ name }) => name)).toEqual(['one'])
  expect(JSON.stringify(hosts.body)).not.toContain('key')
  const invoices = await staff.api.call(contract.listCustomerInvoices, { params, query: {} })
  expect(invoices).toMatchObject({ status: 200, body: { items: [], next_cursor: null } })
  await note(customer, 'Calls at night')
  expect((await customer.api.call(deactivate, { body: { email: customer.email } })).status).toBe(204)
  for (const userId of [customer.user_id, randomUUID()]) {
    const gone = [
      staff.api.call(contract.getCustomerAccount, { params: { userId } }),
      staff.api.call(contract.listCustomerHosts, { params: { userId }, query: {} }),
      staff.api.call(contract.listCustomerInvoices, { params: { userId }, query: {} }),
      staff.api.call(contract.listCustomerNotes, { params: { userId } }),
    ]
    for (const { status } of await Promise.all(gone)) expect(status).toBe(404)
  }
  expect(await idsOf({ q: customer.user_id })).toEqual([])
  const { rows } = await admin.query('select from customer_notes where user_id = $1', [customer.user_id])
  expect(rows).toEqual([])
})

describe('the list of all servers', () => {
  const hosts = async (query: InputOf<typeof listStaffHosts>['query'] = {}) => {
    const walked: StaffHost[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = bodyOf(
        await staff.api.call(listStaffHosts, {
          query: { ...query, limit: '1', ...(cursor ? { cursor } : {}) },
        }),
        200,
      )
      walked.push(...page.items)
      cursor = page.next_cursor
    }
    return walked
  }

  it('finds servers by state, plan and country, each once, with its customer and without its key', async () => {
    const [vera, hugo] = await Promise.all([somebody({ name: 'Vera', surname: 'Servo' }), somebody()])
    await hugo.api.call(updateProfile, { body: { country: 'AT' } })
    const moved = await addHost(vera.api, { name: 'moved', ipv4: '10.0.0.9' })
    await giveLicence(test, vera, moved.id, 5 * 86_400_000)
    const later = await addHost(vera.api, { name: 'later', ipv4: '10.0.0.8' })
    await giveLicence(test, vera, later.id, 13 * 86_400_000)
    await checkIn(test, await tokenFor(vera.api, moved.id))
    const held = await addHost(hugo.api, { name: 'held' })
    await asOwner(
      test,
      `insert into suspensions (host_id, user_id, reason, text_public, text_internal)
       select id, user_id, 'abuse', '', 'x' from hosts where public_id = $1`,
      [held.id],
    )
    const names = async (query: Parameters<typeof hosts>[0]) =>
      (await hosts(query)).map(({ host }) => host.name)
    expect(await names({})).toEqual(
      (await names({})).filter((name, place, all) => all.indexOf(name) === place),
    )
    expect((await names({})).slice(0, 3)).toEqual(['held', 'later', 'moved'])
    expect(await names({ state: 'ends_soon' })).toEqual(['moved', 'later'])
    expect(await names({ state: 'ends_soon', sort: 'newest' })).toEqual(['later', 'moved'])
    const free = (await hosts({})).filter(({ host }) => host.licence === 'free').map(({ host }) => host.name)
    expect(await names({ sort: 'ends_first' })).toEqual(['moved', 'later', ...free])
    expect(await names({ sort: 'ends_last' })).toEqual(['later', 'moved', ...free])
    expect(await names({ sort: 'oldest' })).toEqual((await names({})).toReversed())
    expect(await names({ plan: 'standard' })).toEqual(['later', 'moved'])
    expect(await names({ state: 'suspended' })).toEqual(['held'])
    expect(await names({ country: 'AT' })).toEqual(['held'])
    expect(await names({ country: 'AT', plan: 'standard' })).toEqual([])
    const [wrong] = await hosts({ state: 'wrong_machine' })
    expect(wrong).toMatchObject({
      host: { id: moved.id, connected: true },
      plan: { en: 'Standard' },
      wrong_address: '127.0.0.1',
      customer: { id: vera.user_id, name: 'Vera Servo' },
    })
    expect(JSON.stringify(wrong)).not.toContain(moved.licence_key)
    expect(await names({ state: 'offline' })).toEqual([])
    await asOwner(test, `update host_agents set last_seen_at = now() - interval '1 day'`)
    expect(await names({ state: 'offline' })).toEqual(['moved'])
    expect(await names({ state: 'alert' })).toEqual([])
    const opens = `insert into alert_incidents (host_id, user_id, kind, since, opened_at, closed_at)
      select id, user_id, $2, now(), now(), $3::timestamptz from hosts where public_id = $1`
    await asOwner(test, opens, [later.id, 'offline', '2026-01-01'])
    expect(await names({ state: 'alert' })).toEqual([])
    for (const kind of ['disk', 'offline']) await asOwner(test, opens, [moved.id, kind, null])
    expect(await names({ state: 'alert' })).toEqual(['moved'])
    expect(await names({ state: 'wrong_machine' })).toEqual([])
  })
})

const note = (to: Customer, text: string, by = staff) =>
  by.api.call(contract.createCustomerNote, { params: { userId: to.user_id }, headers: {}, body: { text } })

it('lets only the author change the words of a note, for 15 minutes, and anybody pin or delete it', async () => {
  const [customer, colleague] = [await somebody(), await signedInStaff(test)]
  const written = await note(customer, 'Prefers to be called in the morning')
  if (written.status !== 201) throw new Error('no note')
  const params = { userId: customer.user_id, noteId: written.body.id }
  const change = (body: { text?: string; pinned?: boolean; version: number }, by = staff) =>
    by.api.call(contract.updateCustomerNote, { params, body })
  expect((await change({ text: 'Never', version: 1 }, colleague)).status).toBe(403)
  expect(await change({ pinned: true, version: 1 }, colleague)).toMatchObject({
    status: 200,
    body: { pinned: true, may_edit: false, version: 2 },
  })
  expect((await change({ text: 'Late', version: 1 })).status).toBe(409)
  expect(await change({ text: 'In the evening', version: 2 })).toMatchObject({
    status: 200,
    body: { text: 'In the evening', pinned: true, may_edit: true },
  })
  await admin.query(`update customer_notes set created_at = now() - interval '16 minutes' where id = $1`, [
    params.noteId,
  ])
  expect((await change({ text: 'Too late', version: 4 })).status).toBeOneOf([403, 409])
  const elsewhere = await somebody()
  const foreign = { ...params, userId: elsewhere.user_id }
  expect((await staff.api.call(contract.deleteCustomerNote, { params: foreign })).status).toBe(404)
  expect((await colleague.api.call(contract.deleteCustomerNote, { params })).status).toBe(204)
  const { rows } = await admin.query(
    `select detail from audit where user_id = $1 and act = 'customer.note_deleted'`,
    [customer.user_id],
  )
  expect(rows).toMatchObject([{ detail: { by: colleague.user_id, author_id: staff.user_id } }])
})

it('keeps at most 500 notes about one customer, also where two are added at once', async () => {
  const customer = await somebody()
  await admin.query(
    `insert into customer_notes (user_id, author_id, text) select $1, $2, 'x' from generate_series(1, $3)`,
    [customer.user_id, staff.user_id, MOST_NOTES - 1],
  )
  const added = await Promise.all([note(customer, 'a'), note(customer, 'b')])
  expect(new Set(added.map(({ status }) => status))).toEqual(new Set([201, 409]))
})
