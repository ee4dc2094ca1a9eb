import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { endGrant, helperOf } from '#tests/harness/grants.ts'
import { agreed } from '#tests/harness/payers.ts'
import { createGrant } from '#features/sharing/contract.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { correctBooking } from './corrections.ts'
import { balanceOf } from './finance.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { bodyOf } from '#tests/harness/hosts.ts'

// The request limits are raised tenfold, because these tests send many requests in a short time.
const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '10' } })
const { app, mails } = test

async function signedInStaff(): Promise<Customer> {
  const staff = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, staff.user_id, ['support', 'billing']))
  return staff
}
const staff = await signedInStaff()
const key = (text: string = randomUUID()) => ({ 'idempotency-key': text })
const refusal = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { errors?: { code: string }[] }).errors?.[0]?.code,
]

const giveCredit = (to: Customer, amount = '1500', by = staff, headers = key()) =>
  by.api.call(contract.giveCredit, {
    params: { userId: to.user_id },
    headers,
    body: { amount, reason: 'Outage on Monday' },
  })

const order = { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } } as const
async function withSpending(amount = 30_00n) {
  const customer = await signedInCustomer(test)
  await addMoney(app, customer.user_id, 100_00n)
  const { transaction_id } = await move(app, {
    type: 'spend',
    user_id: customer.user_id,
    amount,
    description: order,
  })
  return { customer, transaction_id }
}
const refund = (to: Customer, id: string, amount?: string, by = staff) =>
  by.api.call(sales.refundTransaction, {
    params: { userId: to.user_id, id },
    headers: key(),
    body: { reason: 'It did not start', ...(amount === undefined ? {} : { amount }) },
  })

async function announced(amount = '2500', provider: 'bank' | 'test' = 'bank') {
  const customer = await signedInCustomer(test)
  const begun = await customer.api.call(contract.startTopUp, {
    headers: key(),
    body: { amount, provider },
  })
  return { customer, topUp: bodyOf(begun, 201) }
}
const confirm = (to: Customer, id: string, amount?: string, by = staff) =>
  by.api.call(contract.confirmTopUp, {
    params: { userId: to.user_id, id },
    headers: key(),
    body: { reason: 'Statement 17', ...(amount === undefined ? {} : { amount }) },
  })
const chargeBack = (to: Customer, id: string, amount?: string) =>
  staff.api.call(contract.chargeBackTopUp, {
    params: { userId: to.user_id, id },
    headers: key(),
    body: { reason: 'The bank asks it back', ...(amount === undefined ? {} : { amount }) },
  })

it('F-01 staff give credit with a reason that the customer reads, by mail and in the list', async () => {
  const customer = await signedInCustomer(test, { locale: 'ru' })
  const { status, body } = await giveCredit(customer)
  expect([status, body]).toMatchObject([
    201,
    {
      type: 'fill_balance_voucher',
      amount: { amount: '1500' },
      description: { code: 'credit', params: { reason: 'Outage on Monday' } },
    },
  ])
  expect((await mails.next(customer.email)).subject).toMatch(/^Вам зачислено 15,00.€$/)
  const { body: seen } = await staff.api.call(contract.customerTransactions, {
    params: { userId: customer.user_id },
    query: {},
  })
  expect([seen.balance.amount, seen.items]).toEqual(['1500', [body]])
})

it('rule 10: 100 simultaneous credits with one Idempotency-Key post one credit and get the same answer', async () => {
  const customer = await signedInCustomer(test)
  const headers = key()
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => giveCredit(customer, '100', staff, headers)),
  )
  expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1)
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(1_00n)
})

it('staff cannot move money to themselves, nor to an unknown account', async () => {
  expect(refusal(await giveCredit(staff))).toEqual([403, 'own_account'])
  const nobody = { ...staff, user_id: randomUUID() }
  expect(refusal(await giveCredit(nobody))).toEqual([404, 'not_found'])
  const customer = await signedInCustomer(test)
  expect(refusal(await giveCredit(customer, '100', customer))).toEqual([403, 'not_allowed'])
  expect(refusal(await giveCredit(customer, '1000001'))).toEqual([400, 'balance_cap'])
})

it('F-01 refunds a spending in parts, never more than was spent', async () => {
  const { customer, transaction_id } = await withSpending()
  const part = await refund(customer, transaction_id, '1000')
  expect([part.status, part.body]).toMatchObject([
    201,
    { type: 'return_on_balance', amount: { amount: '1000' } },
  ])
  expect(refusal(await refund(customer, transaction_id, '2001'))).toEqual([409, 'not_refundable'])
  expect((await refund(customer, transaction_id)).body).toMatchObject({ amount: { amount: '2000' } })
  expect(refusal(await refund(customer, transaction_id))).toEqual([409, 'not_refundable'])
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(100_00n)
})

it('F-01 nobody is asked to approve a refund that is impossible, and more than is left is never booked', async () => {
  const { customer, transaction_id } = await withSpending(90_00n)
  // Above the allowance, where a possible refund would wait for a second person.
  expect(refusal(await refund(customer, transaction_id, '60000'))).toEqual([409, 'not_refundable'])
  const { user_id } = customer
  const more = { user_id, transaction_id, amount: 90_01n, reason: 'x' }
  await expect(transaction(app, 'system', (tx) => bookRefund(app, tx, more))).rejects.toMatchObject({
    status: 409,
  })
  expect(await balanceOf(app, app.db, user_id)).toBe(10_00n)
})

it("rule 4: another customer's transaction is not found under this one", async () => {
  const { transaction_id } = await withSpending()
  expect(refusal(await refund(await signedInCustomer(test), transaction_id))).toEqual([404, 'not_found'])
})

it('finds a transfer by its reference, however the statement prints it, and confirms its arrival', async () => {
  const { customer, topUp } = await announced()
  const reference = (topUp.bank?.reference ?? '').toLowerCase().replaceAll('-', ' ')
  await customer.api.call(updateProfile, { body: { name: 'Anna', surname: 'Berger' } })
  const { body } = await staff.api.call(contract.listTopUps, {
    query: { status: 'pending', provider: 'bank', reference },
  })
  expect(body.items).toMatchObject([
    { id: topUp.id, customer: { id: customer.user_id, name: 'Anna Berger', email: customer.email } },
  ])
  const done = await confirm(customer, topUp.id)
  expect([done.status, done.body]).toMatchObject([201, { type: 'fill_balance', amount: { amount: '2500' } }])
  expect(refusal(await confirm(customer, topUp.id))).toEqual([409, 'top_up_not_pending'])
  expect((await customer.api.call(contract.getTopUp, { params: { id: topUp.id } })).body.status).toBe('paid')
})

it('of 50 who confirm one transfer at once, one succeeds; the amount that arrived counts', async () => {
  const { customer, topUp } = await announced()
  const replies = await Promise.all(Array.from({ length: 50 }, () => confirm(customer, topUp.id, '2400')))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(24_00n)
})

it('staff cannot confirm a top-up of a provider other than the bank, because that provider confirms it', async () => {
  const { customer, topUp } = await announced('2500', 'test')
  expect(refusal(await confirm(customer, topUp.id))).toEqual([409, 'top_up_not_pending'])
})

it('takes a payment back in parts, never more than was paid; the balance may become negative', async () => {
  const { customer, topUp } = await announced()
  expect(refusal(await chargeBack(customer, topUp.id))).toEqual([409, 'nothing_to_charge_back'])
  await confirm(customer, topUp.id)
  await move(app, { type: 'spend', user_id: customer.user_id, amount: 25_00n, description: order })
  const part = await chargeBack(customer, topUp.id, '1000')
  expect(part.body).toMatchObject({
    type: 'charge_back',
    description: { params: { provider: 'bank', reason: 'The bank asks it back' } },
  })
  expect(refusal(await chargeBack(customer, topUp.id, '1501'))).toEqual([409, 'nothing_to_charge_back'])
  expect((await chargeBack(customer, topUp.id)).body).toMatchObject({ balance_after: { amount: '-2500' } })
  expect(refusal(await chargeBack(customer, topUp.id))).toEqual([409, 'nothing_to_charge_back'])
})

it('turns the pages of top-ups', async () => {
  await announced()
  await announced()
  const first = (await staff.api.call(contract.listTopUps, { query: { limit: '1' } })).body
  const second = (
    await staff.api.call(contract.listTopUps, { query: { limit: '1', cursor: first.next_cursor ?? '' } })
  ).body
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(2)
  expect((await staff.api.call(contract.listTopUps, { query: { reference: 'nothing' } })).body.items).toEqual(
    [],
  )
})

describe('a booking that staff made by mistake is undone in words of its own', () => {
  const correct = (to: Customer, id: string, by = staff) =>
    by.api.call(contract.correctTransaction, {
      params: { userId: to.user_id, id },
      headers: key(),
      body: { reason: 'Booked for the wrong customer' },
    })
  const statusOf = async ({ api }: Customer, id: string) =>
    (await api.call(contract.getTopUp, { params: { id } })).body.status

  it('a transfer that was confirmed for the wrong customer is no chargeback to them', async () => {
    const { customer, topUp } = await announced()
    const { id } = bodyOf(await confirm(customer, topUp.id), 201)
    expect((await correct(customer, id, customer)).status).toBe(403)
    expect((await correct(customer, id)).body).toMatchObject({
      type: 'charge_back',
      amount: { amount: '-2500' },
      description: { code: 'correction', params: { reason: 'Booked for the wrong customer' } },
    })
    const mail = await mails.about(customer.email, /^We’ve corrected/)
    expect(mail.subject).toBe('We’ve corrected a booking of €25.00')
    expect(mail.text).not.toMatch(/bank or card issuer|charged back/i)
    expect(await statusOf(customer, topUp.id)).toBe('corrected')
    expect(refusal(await correct(customer, id))).toEqual([409, 'not_correctable'])
  })

  it('a chargeback that was recorded by mistake is given back, its debt is over, and it can be recorded again', async () => {
    const { customer, topUp } = await announced()
    await confirm(customer, topUp.id)
    await move(app, { type: 'spend', user_id: customer.user_id, amount: 20_00n, description: order })
    const { id } = bodyOf(await chargeBack(customer, topUp.id), 201)
    const openDebts = () =>
      app.db
        .selectFrom('debts')
        .select('id')
        .where('user_id', '=', customer.user_id)
        .where('settled_at', 'is', null)
        .execute()
    expect(await openDebts()).toHaveLength(1)
    expect((await correct(customer, id)).body).toMatchObject({
      type: 'fill_balance',
      amount: { amount: '2500' },
      balance_after: { amount: '500' },
      description: { code: 'charge_back_undone' },
    })
    expect(await openDebts()).toHaveLength(0)
    expect((await mails.about(customer.email, / is back on your balance$/)).text).toContain('by mistake')
    expect(await statusOf(customer, topUp.id)).toBe('paid')
    expect((await chargeBack(customer, topUp.id)).status).toBe(201)
  })

  it('of 10 at once one is booked; what a provider booked, and other customers’ bookings, are not undone here', async () => {
    const { customer, topUp } = await announced()
    const { id } = bodyOf(await confirm(customer, topUp.id), 201)
    const replies = await Promise.all(Array.from({ length: 10 }, () => correct(customer, id)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(replies.map(({ status }: { status: number }) => status))).toEqual(new Set([201, 409]))
    expect(await balanceOf(app, app.db, customer.user_id)).toBe(0n)
    const { user_id } = customer
    const more = { user_id, transaction_id: id, amount: 1n, reason: 'x' }
    await expect(transaction(app, 'system', (tx) => correctBooking(app, tx, more))).rejects.toMatchObject({
      status: 409,
    })
    const other = await signedInCustomer(test)
    expect(refusal(await correct(other, id))).toEqual([404, 'not_found'])
    const { transaction_id } = await addMoney(app, other.user_id, 5_00n)
    expect(refusal(await correct(other, transaction_id))).toEqual([409, 'not_correctable'])
  })
})

it('every action of staff is in the audit, with person and reason, and the books are in balance', async () => {
  const superuser = await superuserOf(test)
  const { rows } = await superuser.query<{ act: string; by: string; reason: string }>(
    "select distinct act, detail->>'by' as by, detail->>'reason' as reason from audit where act like 'finance.%' order by act",
  )
  expect(rows).toEqual([
    { act: 'finance.charged_back', by: staff.user_id, reason: 'The bank asks it back' },
    { act: 'finance.confirmed', by: staff.user_id, reason: 'Statement 17' },
    { act: 'finance.corrected', by: staff.user_id, reason: 'Booked for the wrong customer' },
    { act: 'finance.credit_given', by: staff.user_id, reason: 'Outage on Monday' },
    { act: 'finance.refunded', by: staff.user_id, reason: 'It did not start' },
  ])
  await superuser.end()
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

describe('an account that shares a hard fact with the member is their own', () => {
  const address = async (email: string) => {
    const customer = await signedInCustomer(test)
    await transaction(app, 'system', (tx) =>
      insertAddress(tx, { user_id: customer.user_id, email, is_primary: false, verified: true }),
    )
    return customer
  }

  it('by a proven address, whatever its tag', async () => {
    const [name, host] = staff.email.split('@')
    const second = await address(`${name}+shop@${host}`)
    expect(refusal(await giveCredit(second))).toEqual([403, 'own_account'])
    expect(await balanceOf(app, app.db, second.user_id)).toBe(0n)
    expect((await giveCredit(await address(`x${name}@${host}`))).status).toBe(201)
  })

  it('payments from one bank account only suggest it: any amount waits', async () => {
    const [member, customer, other] = [
      await signedInStaff(),
      await signedInCustomer(test),
      await signedInCustomer(test),
    ]
    const admin = await superuserOf(test)
    const paid: [Customer, string][] = [
      [member, 'DE02120300000000202051'],
      [customer, 'DE02120300000000202051'],
      [other, 'DE75512108001245126199'],
    ]
    for (const [{ user_id }, iban] of paid)
      await admin.query(
        `with file as (
           insert into bank_files (sha256, account_iban, statement_id, currency, kind)
           values (sha256($1::text::bytea), 'X', $1, 'EUR', 'csv') returning id)
         insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, place, match, state, user_id)
         select id, 'X', date '2026-01-01', 100, 'EUR', '', $2, '', '', sha256($1::text::bytea), 0, 1, 'exact', 'booked', $3::uuid from file`,
        [randomUUID(), iban, user_id],
      )
    await admin.end()
    const asked = await giveCredit(customer, '100', member)
    expect([asked.status, asked.body]).toMatchObject([202, { approval: { why: 'linked' } }])
    const kept = app.db.selectFrom('approvals').select('links').where('customer_id', '=', customer.user_id)
    expect(await kept.execute()).toEqual([{ links: ['iban'] }])
    expect((await giveCredit(other, '100', member)).status).toBe(201)
  })

  it('by a grant or a payment agreement, in both directions, over a helper who passes it on, and after its end', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signedInCustomer(test)))
    const [helped, helping, paid, paying, client, asking] = people as [
      Customer,
      Customer,
      Customer,
      Customer,
      Customer,
      Customer,
    ]
    const { grantId } = await helperOf(test, helped, {}, staff)
    await helperOf(test, staff, {}, helping)
    await agreed(paid, staff)
    await agreed(staff, paying)
    const agency = await helperOf(test, client, { may_pass_on: true })
    const passed = await helperOf(test, agency, {}, staff)
    for (const one of [helped, helping, paid, paying, agency, client])
      expect(refusal(await giveCredit(one))).toEqual([403, 'own_account'])
    await endGrant(helped, grantId)
    expect(refusal(await giveCredit(helped))).toEqual([403, 'own_account'])
    await endGrant(agency, passed.grantId)
    expect((await giveCredit(client)).status).toBe(201)
    const body = { email: staff.email, role: 'technical', all_hosts: true } as const
    bodyOf(await asking.api.call(createGrant, { body }), 201)
    expect((await giveCredit(asking)).status).toBe(201)
  })

  it('by the VAT id; and by no address that is only claimed', async () => {
    const [other, claiming] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
    await transaction(app, 'system', async (tx) => {
      for (const { user_id } of [staff, other])
        await tx
          .updateTable('profiles')
          .set({ vat_id: 'DE123456789' })
          .where('user_id', '=', user_id)
          .execute()
      await insertAddress(tx, {
        user_id: claiming.user_id,
        email: staff.email,
        is_primary: false,
        verified: false,
      })
    })
    expect(refusal(await giveCredit(other))).toEqual([403, 'own_account'])
    expect((await giveCredit(claiming)).status).toBe(201)
    await transaction(app, 'system', (tx) =>
      tx.updateTable('profiles').set({ vat_id: '' }).where('user_id', '=', staff.user_id).execute(),
    )
  })
})
