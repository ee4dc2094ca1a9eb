import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { getAnyInvoice, listAllInvoices } from '#features/books/contract.ts'
import { customerTransactions, getFinances } from '#features/finance/contract.ts'
import { refundTransaction } from '#features/sales/contract.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { checkLedger, credit } from '#features/finance/server/finance.ts'
import * as contract from '#features/invoices/contract.ts'
import type { Buyer, ReissuedBuyer } from '#features/invoices/shapes.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { believePlace, confirmedAt } from '#tests/harness/vat-proof.ts'
import { prepareDocuments } from './download.ts'
import { mailInvoice } from './invoice-mails.ts'

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const billing = await memberWith('billing')

const address = { name: 'Anna', surname: 'Brückner', address: 'Am Markt 1', zip: '20095', city: 'Hamburg' }

/** A customer in Germany who bought something for these nets. */
async function buyerOf(...nets: bigint[]) {
  const customer = await signedInCustomer(test)
  await customer.api.call(updateProfile, { body: { ...address, country: 'DE' } })
  await addMoney(app, customer.user_id, 10_000_00n)
  const sale = await sell(app, { user_id: customer.user_id, nets })
  return { ...customer, sale }
}

type Body = {
  buyer?: 'profile' | ReissuedBuyer
  vat?: 'keep' | 'decide'
  reason?: string
  expected_total?: { amount: string; currency: string }
}
const body = (wanted: Body) => ({
  buyer: 'profile' as const,
  vat: 'keep' as const,
  reason: 'Wrong address',
  ...wanted,
})
const reissue = (publicId: string, wanted: Body = {}, by = billing, key: string = randomUUID()) =>
  by.api.call(contract.reissueInvoice, {
    params: { publicId },
    headers: { 'idempotency-key': key },
    body: body(wanted),
  })
const preview = async (
  publicId: string,
  query: { vat: 'keep' | 'decide'; country?: string; vat_id?: string },
) => bodyOf(await billing.api.call(contract.previewReissue, { params: { publicId }, query }), 200)

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const read = async ({ api }: Pick<typeof billing, 'api'>, publicId: string) =>
  bodyOf(await api.call(contract.getInvoice, { params: { publicId } }), 200)
const newest = async (user_id: string) =>
  bodyOf(await billing.api.call(customerTransactions, { params: { userId: user_id }, query: {} }), 200)
const refund = (user_id: string, transaction_id: string, amount?: bigint) =>
  transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'said so' }),
  )
const allIsWell = async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })

it('B-14 rule 13: cancels an invoice and issues it anew for the profile as it is now, and no money moves', async () => {
  const anna = await buyerOf(100_00n, 50_00n)
  const { public_id, transaction_id } = anna.sale
  const before = await read(anna, public_id)
  const booked = await newest(anna.user_id)
  await anna.api.call(updateProfile, { body: { address: 'Neuer Wall 2', company: 'Brückner GmbH' } })
  expect(await preview(public_id, { vat: 'keep' })).toMatchObject({
    profile: { street: 'Neuer Wall 2', company: 'Brückner GmbH' },
    before: { total: eur('17850') },
    after: { net: eur('15000'), vat: eur('2850'), total: eur('17850') },
    difference: eur('0'),
    refusal: null,
  })
  const done = bodyOf(await reissue(public_id), 201)
  expect(done).not.toHaveProperty('transaction')
  const [note, invoice] = [await read(anna, done.credit_note.id), await read(anna, done.invoice.id)]
  expect(note).toMatchObject({
    kind: 'credit_note',
    cancels: true,
    total: eur('17850'),
    credit_note_of: { id: public_id, number: before.number },
    to: before.to,
    lines: before.lines,
    notes: [
      { code: 'credit_note_of' },
      { code: 'reissued' },
      { code: 'text', params: { text: 'Wrong address' } },
    ],
  })
  expect(invoice).toMatchObject({
    kind: 'invoice',
    status: 'paid',
    total: eur('17850'),
    to: { street: 'Neuer Wall 2', company: 'Brückner GmbH', name: 'Anna Brückner' },
    lines: before.lines,
    replaces: { id: public_id, number: before.number },
    replaced_by: null,
    notes: [{ code: 'paid' }, { code: 'replaces', params: { number: before.number } }],
  })
  expect(Number(invoice.number.slice(-6))).toBe(Number(note.number.slice(-6)) + 1)
  expect(await read(anna, public_id)).toMatchObject({
    status: 'void',
    to: { street: 'Am Markt 1' },
    replaced_by: { id: invoice.id, number: invoice.number },
  })
  // The same movements as before; the spending shows the new invoice.
  const after = await newest(anna.user_id)
  expect(after.items).toEqual(
    booked.items.map((item) => (item.id === transaction_id ? { ...item, invoice_id: invoice.id } : item)),
  )
  const { rows } = await superuser.query('select 1 from transactions where splits = $1', [transaction_id])
  expect(rows).toEqual([])
  await allIsWell()
})

async function moveToFrance({ api, user_id }: Pick<Customer, 'api' | 'user_id'>): Promise<void> {
  const { check } = confirmedAt(new Date())
  await api.call(updateProfile, { body: { country: 'FR', vat_id: 'FR40303265045' } })
  await superuser.query("select set_config('app.actor', 'system', false)")
  await superuser.query(
    `insert into vat_id_checks (user_id, vat_id, source, verdict, asked_at, answered_at, requester, consultation_number)
     values ($1, 'FR40303265045', 'vies', 'valid', now(), now(), $2, $3)`,
    [user_id, check?.requester, check?.consultation_number],
  )
}

it('B-15 keeps the gift of a sale that is invoiced anew: its money comes back first, and the gift as a gift', async () => {
  const anna = await buyerOf(100_00n)
  const { user_id } = anna
  await transaction(app, 'system', (tx) => credit(app, tx, { user_id, amount: 50_00n, reason: 'x' }))
  const { public_id, transaction_id } = await sell(app, { user_id, nets: [100_00n] })
  await moveToFrance(anna)
  const done = bodyOf(await reissue(public_id, { vat: 'decide' }), 201)
  expect(done.transaction?.amount).toEqual(eur('1900'))
  expect(await read(anna, done.invoice.id)).toMatchObject({ gift: eur('5000'), total: eur('5000') })
  await refund(user_id, transaction_id, 40_00n)
  await refund(user_id, transaction_id)
  const body = { balance: eur('993100'), gift: eur('5000') }
  expect(await anna.api.call(getFinances, {})).toMatchObject({ body })
  await allIsWell()
})

it('B-14 decides the VAT anew: it moves from one country to none, and the difference comes back', async () => {
  const anna = await buyerOf(100_00n)
  const { public_id, transaction_id } = anna.sale
  await moveToFrance(anna)
  const before = (await newest(anna.user_id)).balance
  expect(await preview(public_id, { vat: 'decide' })).toMatchObject({
    before: { vat_kind: 'standard', country: 'DE', vat_rate: '19', total: eur('11900') },
    after: { vat_kind: 'reverse_charge', country: 'FR', vat: eur('0'), total: eur('10000') },
    difference: eur('1900'),
  })
  const key = randomUUID()
  const answer = await reissue(public_id, { vat: 'decide' }, billing, key)
  const done = bodyOf(answer, 201)
  expect(await reissue(public_id, { vat: 'decide' }, billing, key)).toMatchObject({ status: 201, body: done })
  expect(done.transaction).toMatchObject({
    type: 'return_on_balance',
    amount: eur('1900'),
    invoice_id: done.credit_note.id,
    description: { code: 'refund', params: { reason: 'Wrong address' } },
  })
  expect((await newest(anna.user_id)).balance).toEqual(eur(String(BigInt(before.amount) + 1900n)))
  const invoice = await read(anna, done.invoice.id)
  expect(invoice).toMatchObject({
    vat_kind: 'reverse_charge',
    total: eur('10000'),
    notes: [
      { code: 'reverse_charge' },
      { code: 'paid' },
      { code: 'replaces' },
      { code: 'difference_given_back' },
    ],
  })
  const { rows } = await superuser.query<{ country: string; amount: string }>(
    `select a.name as country, e.amount from transactions t join entries e on e.transaction_id = t.id
     join ledger_accounts a on a.id = e.account_id where t.splits = $1 and e.is_vat`,
    [transaction_id],
  )
  expect(rows).toEqual([{ country: 'DE', amount: '-1900' }])
  // The sale can be refunded up to what is left of it, and no more.
  await refund(anna.user_id, transaction_id, 30_00n)
  await refund(anna.user_id, transaction_id)
  await expect(refund(anna.user_id, transaction_id, 1n)).rejects.toMatchObject({ status: 409 })
  expect(await read(anna, done.invoice.id)).toMatchObject({ status: 'void' })
  expect((await reissue(done.invoice.id)).body).toMatchObject(refusal(409, 'nothing_left'))
  await allIsWell()
})

it('B-14 the VAT goes to another country at its rate of the day of the sale', async () => {
  const anna = await buyerOf(333n, 1n)
  await believePlace(test, anna.user_id, 'LU')
  const luxembourg = { ...(await preview(anna.sale.public_id, { vat: 'keep' })).profile, country: 'LU' }
  const done = bodyOf(
    await reissue(anna.sale.public_id, { vat: 'decide', buyer: named(luxembourg as Buyer) }),
    201,
  )
  expect(await read(anna, done.invoice.id)).toMatchObject({ vat_kind: 'oss', vat_rate: '17', vat: eur('57') })
  const { rows } = await superuser.query(
    `select a.name as country, e.amount from transactions t join entries e on e.transaction_id = t.id
     join ledger_accounts a on a.id = e.account_id where t.splits = $1 and e.is_vat order by 1`,
    [anna.sale.transaction_id],
  )
  expect(rows).toEqual([
    { country: 'DE', amount: '-63' },
    { country: 'LU', amount: '57' },
  ])
  await allIsWell()
})

/** Returns the buyer as the form sends it: without the email address, which a reissue keeps. */
function named(buyer: Buyer): ReissuedBuyer {
  return Object.fromEntries(Object.entries(buyer).filter(([field]) => field !== 'email')) as ReissuedBuyer
}

it('B-14 a partly refunded invoice is reissued for the rest, and the new invoice can be reissued in turn', async () => {
  const anna = await buyerOf(100_00n, 3n)
  const { transaction_id } = anna.sale
  await refund(anna.user_id, transaction_id, 33_33n)
  const first = bodyOf(await reissue(anna.sale.public_id), 201)
  expect(first.credit_note).toMatchObject({ cancels: false, total: eur(String(119_04n - 33_33n)) })
  const invoice = await read(anna, first.invoice.id)
  expect(invoice.total).toEqual(first.credit_note.total)
  expect(invoice.lines.reduce((sum, { price }) => sum + BigInt(price.amount), 0n)).toBe(
    BigInt(invoice.net.amount),
  )
  expect(invoice.lines).toHaveLength(2)
  const second = bodyOf(await reissue(first.invoice.id, { vat: 'decide' }), 201)
  expect(second.invoice.total).toEqual(first.invoice.total)
  expect((await reissue(first.invoice.id)).body).toMatchObject(refusal(409, 'nothing_left'))
  expect((await reissue(anna.sale.public_id)).body).toMatchObject(refusal(409, 'nothing_left'))
  const { chain } = bodyOf(
    await billing.api.call(getAnyInvoice, { params: { publicId: second.invoice.id } }),
    200,
  )
  const rows = chain.map(({ kind, cancels, transaction }) => [kind, cancels, transaction?.type ?? null])
  expect(rows).toEqual([
    ['invoice', false, 'spend'],
    ['credit_note', false, 'return_on_balance'],
    ['credit_note', false, null],
    ['invoice', false, null],
    ['credit_note', true, null],
    ['invoice', false, null],
  ])
  await allIsWell()
})

it('B-14 refuses a higher total, a credit note, an unnamed buyer, and whoever may not', async () => {
  const anna = await buyerOf(300_00n)
  const { public_id } = anna.sale
  await anna.api.call(updateProfile, { body: { country: 'HU' } })
  expect(await preview(public_id, { vat: 'decide' })).toMatchObject({ refusal: 'total_would_rise' })
  expect((await reissue(public_id, { vat: 'decide' })).body).toMatchObject(refusal(409, 'total_would_rise'))
  const profile = must((await preview(public_id, { vat: 'keep' })).profile)
  const typed = (fields: Partial<Buyer>) => ({ buyer: named({ ...profile, ...fields }) })
  const wrong = [
    [{ country: 'XX' }, 'unknown_country', 'buyer.country'],
    [{ vat_id: 'DE1' }, 'invalid_vat_id', 'buyer.vat_id'],
    [{ city: 'a\u202eb' }, 'unprintable_characters', 'buyer.city'],
    [{ street: '' }, 'required', 'buyer.street'],
  ] as const
  for (const [fields, code, param] of wrong)
    expect((await reissue(public_id, typed(fields))).body, param).toMatchObject(refusal(400, code, param))
  expect((await reissue(public_id, { reason: ' ' })).body).toMatchObject(refusal(400, 'required', 'reason'))
  await anna.api.call(updateProfile, { body: { zip: '' } })
  expect((await reissue(public_id)).body).toMatchObject(refusal(409, 'buyer_incomplete'))
  expect((await reissue('A'.repeat(22))).status).toBe(404)
  const support = await memberWith('support')
  expect((await reissue(public_id, {}, support)).status).toBe(403)
  expect((await reissue(public_id, {}, anna)).status).toBe(403)
  expect(await read(anna, public_id)).toMatchObject({ status: 'paid', credit_notes: [] })
  // The refused attempts have left no document.
  const { rows } = await superuser.query('select 1 from invoices where user_id = $1', [anna.user_id])
  expect(rows).toHaveLength(1)
  const own = await sell(app, { user_id: anna.user_id, nets: [1_00n] })
  await transaction(app, 'system', (tx) => setStaffRoles(tx, anna.user_id, ['billing']))
  expect((await reissue(own.public_id, {}, anna)).body).toMatchObject(refusal(403, 'own_account'))
  await transaction(app, 'system', (tx) => setStaffRoles(tx, anna.user_id, []))
  const done = bodyOf(await reissue(own.public_id), 201)
  expect((await reissue(done.credit_note.id)).status).toBe(404)
})

it('rule 46: issues nothing where a refund came between the preview and the reissue', async () => {
  const anna = await buyerOf(10_00n)
  const { public_id, transaction_id } = anna.sale
  const seen = must((await preview(public_id, { vat: 'keep' })).after).total
  expect(seen).toEqual(eur('1190'))
  await refund(anna.user_id, transaction_id, 1_90n)
  const late = await reissue(public_id, { expected_total: seen })
  expect(late.body).toMatchObject(refusal(409, 'total_changed'))
  expect((await read(anna, public_id)).replaced_by).toBeNull()
  const now = must((await preview(public_id, { vat: 'keep' })).after).total
  expect(bodyOf(await reissue(public_id, { expected_total: now }), 201).invoice.total).toEqual(eur('1000'))
})

it('B-14 the customer reads that it happened and why, and gets one mail with both documents', async () => {
  const anna = await buyerOf(10_00n)
  const { invoice, credit_note } = bodyOf(await reissue(anna.sale.public_id, { reason: 'New street' }), 201)
  await prepareDocuments(app, anna.user_id, invoice.id)
  await mailInvoice(app, anna.user_id, invoice.id)
  const mails = await superuser.query<{ letter: string }>(
    "select letter from mails where user_id = $1 and letter like 'invoice%' and letter <> 'invoice_issued'",
    [anna.user_id],
  )
  expect(mails.rows).toEqual([{ letter: 'invoice_reissued' }])
  const mail = await test.mails.about(anna.email, invoice.number, 40_000)
  expect(mail.subject).toContain(`${invoice.number} replaces `)
  expect(mail.text).toContain(credit_note.number)
  expect(mail.attachments.map(({ filename }) => filename)).toEqual([
    `${invoice.number}.pdf`,
    `${credit_note.number}.pdf`,
  ])
  const { items } = bodyOf(await anna.api.call(listActivity, { query: {} }), 200)
  expect(items[0]).toMatchObject({ act: 'invoice.reissued', by: 'support', message: 'New street' })
})

it('B-14 20 refunds, chargebacks and reissues of one sale at once: as one after the other would have been', async () => {
  const anna = await buyerOf(1000_00n)
  const { user_id } = anna
  const { transaction_id, public_id } = anna.sale
  const paid = (await newest(user_id)).items.find(({ type }) => type === 'fill_balance')
  const chargeBack = () =>
    move(app, {
      type: 'charge_back',
      user_id,
      amount: 1_00n,
      provider: 'test',
      description: { code: 'charge_back', params: { provider: 'test' } },
      reverses: must(paid).id,
    })
  const reissueNewest = async () => {
    const { rows } = await app.pool.query<{ public_id: string }>(
      `select public_id from invoices where transaction_id = $1 and kind = 'invoice' order by version desc limit 1`,
      [transaction_id],
    )
    return (await reissue(must(rows[0]).public_id)).status
  }
  const staffRefund = async () =>
    (
      await billing.api.call(refundTransaction, {
        params: { userId: user_id, id: transaction_id },
        headers: { 'idempotency-key': randomUUID() },
        body: { amount: '1100', reason: 'x' },
      })
    ).status
  const done = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const [refunded, issued, [charged]] = await Promise.all([
        staffRefund(),
        reissueNewest(),
        Promise.allSettled([chargeBack()]),
      ])
      return [refunded, issued, charged.status === 'fulfilled' ? 201 : 503] as const
    }),
  )
  // On a slow machine the last in the queue give up after two seconds, with nothing written.
  expect(done.flat().filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  const [refunds, reissues, chargedBack] = [0, 1, 2].map(
    (place) => done.filter((statuses) => statuses[place] === 201).length,
  )
  expect(refunds).toBeGreaterThan(0)
  expect(reissues).toBeGreaterThan(0)
  const owed = 1190_00n - BigInt(refunds ?? 0) * 11_00n
  const { rows } = await superuser.query<{ invoices: string; credit_notes: string; owed: string }>(
    `select count(*) filter (where kind = 'invoice') as invoices, count(*) filter (where kind = 'credit_note') as credit_notes,
       sum(case kind when 'invoice' then total else -total end) as owed
     from invoices where user_id = $1`,
    [user_id],
  )
  const [invoices, credit_notes] = [1 + (reissues ?? 0), (refunds ?? 0) + (reissues ?? 0)].map(String)
  expect(rows).toEqual([{ invoices, credit_notes, owed: String(owed) }])
  const left = 10_000_00n - BigInt(chargedBack ?? 0) * 1_00n - owed
  expect((await newest(user_id)).balance).toEqual(eur(String(left)))
  expect((await read(anna, public_id)).status).toBe('void')
  await allIsWell()
})

it('rule 13: the database refuses a second invoice of a sale while the first one is owed', async () => {
  const anna = await buyerOf(10_00n)
  await expect(
    superuser.query(
      `insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, version, issued_at, locale, currency,
         net, vat, total, vat_kind, vat_country, vat_rate_bp, keep_until)
       select left(md5(random()::text), 22), user_id, year, 900000, 'X-1', kind, transaction_id, 2, issued_at, locale, currency,
         0, 0, 0, vat_kind, vat_country, vat_rate_bp, keep_until from invoices where public_id = $1`,
      [anna.sale.public_id],
    ),
  ).rejects.toThrow(/lines|not cancelled/)
})

it('rule 3: the invoice that replaces another belongs to the same customer', async () => {
  const anna = await buyerOf(10_00n)
  const other = await buyerOf(10_00n)
  await refund(anna.user_id, anna.sale.transaction_id)
  const foreign = superuser.query(
    `with issued as (
       insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, version, issued_at, locale, currency,
         net, vat, total, vat_kind, vat_country, vat_rate_bp, keep_until)
       select left(md5(random()::text), 22), $2, year, 900001, 'X-2', kind, transaction_id, 2, issued_at, locale, currency,
         net, vat, total, vat_kind, vat_country, vat_rate_bp, keep_until from invoices where public_id = $1
       returning id, user_id, net)
     insert into invoice_lines (invoice_id, place, user_id, description, quantity, cost, price)
     select id, 1, user_id, '{"code": "text", "params": {}}', 1, net, net from issued`,
    [anna.sale.public_id, other.user_id],
  )
  await expect(foreign).rejects.toThrow(/replaces one that is not cancelled/)
})

it('B-14 refuses to reissue an invoice of a deleted account', async () => {
  const anna = await buyerOf(10_00n)
  await refund(anna.user_id, anna.sale.transaction_id)
  const other = await sell(app, { user_id: anna.user_id, nets: [10_00n] })
  await superuser.query('update users set is_active = false where id = $1', [anna.user_id])
  expect(await preview(other.public_id, { vat: 'keep' })).toMatchObject({
    refusal: 'deactivated',
    profile: null,
  })
  expect((await reissue(other.public_id)).body).toMatchObject(refusal(409, 'deactivated'))
})

it('lists show each document, and sums count the newest invoice alone', async () => {
  const anna = await buyerOf(10_00n)
  const { invoice, credit_note } = bodyOf(await reissue(anna.sale.public_id), 201)
  const { items } = bodyOf(await billing.api.call(listAllInvoices, { query: { q: anna.email } }), 200)
  expect(items.map(({ id, status }) => [id, status])).toEqual([
    [invoice.id, 'paid'],
    [credit_note.id, 'paid'],
    [anna.sale.public_id, 'void'],
  ])
})
