import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as finance from '#features/finance/contract.ts'
import { balanceOf, checkLedger, keepUnbooked, movable } from '#features/finance/server/finance.ts'
import * as contract from '#features/payouts/contract.ts'
import { markPayoutSent, returnPayout } from '#features/payouts/staff-contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const billing = await signedInStaff(test, { roles: ['billing'] })
const IBAN = 'DE89 3704 0044 0532 0130 00'
const headers = () => ({ 'idempotency-key': randomUUID() })
const tell = async (...event: Parameters<typeof paymentEvent>) =>
  expect(await postPayment(test, paymentEvent(...event))).toBe(200)

/** Tops up 50.00 by card; returns the id of the top-up. */
async function paid({ api }: Customer): Promise<string> {
  const body = { amount: '5000', provider: 'test' } as const
  const { id } = bodyOf(await api.call(finance.startTopUp, { headers: headers(), body }), 201)
  await tell(id, 'paid')
  return id
}

const ask = ({ api }: Customer, amount: string) =>
  api.call(contract.requestPayout, { headers: headers(), body: { amount, iban: IBAN, holder: 'Anna' } })

/** Has 50.00 paid out to the bank, which staff send; returns the id of the payout. */
async function paidOut(customer: Customer): Promise<string> {
  const { id } = bodyOf(await ask(customer, '5000'), 201)
  const params = { userId: customer.user_id, id }
  bodyOf(await billing.api.call(markPayoutSent, { params }), 200)
  return id
}

/** The balance, what is held of it, and what may leave, as staff and as the customer see it. */
async function moneyOf({ api, user_id: userId }: Customer) {
  const call = { params: { userId }, query: {} }
  const seen = bodyOf(await billing.api.call(finance.customerTransactions, call), 200)
  const own = bodyOf(await api.call(contract.listPayouts, { query: {} }), 200)
  expect(own.payable).toEqual(seen.payable)
  return [seen.balance, seen.held, seen.payable].map(({ amount }) => amount)
}

const linesOf = async ({ user_id }: Customer) =>
  bodyOf(await billing.api.call(finance.listUnbookedEvents, { query: { limit: '100' } }), 200).items.filter(
    (line) => line.customer?.id === user_id,
  )

async function settleAll(customer: Customer): Promise<void> {
  for (const { id } of await linesOf(customer))
    bodyOf(
      await billing.api.call(finance.settleUnbookedEvent, { params: { id }, body: { note: 'Paid by hand' } }),
      200,
    )
}

it('rule 61: what a bank took after it was paid out is held, whoever asks for a payout, until staff have settled it', async () => {
  const customer = await signedInCustomer(test)
  const { user_id: userId } = customer
  const [first, second] = [await paid(customer), await paid(customer)]
  await paidOut(customer)
  expect(await moneyOf(customer)).toEqual(['5000', '0', '5000'])
  await tell(first, 'charged_back', { amount: '5000' })
  expect((await linesOf(customer)).map(({ cause, amount }) => [cause, amount?.amount])).toEqual([
    ['more_than_left', '5000'],
  ])
  expect(await moneyOf(customer)).toEqual(['5000', '5000', '0'])
  expect(await ask(customer, '1')).toMatchObject({ status: 409, body: refusal(409, 'more_than_payable') })
  const reason = 'By letter'
  const amount = '1'
  const staffs = await Promise.all([
    billing.api.call(contract.payToBank, {
      params: { userId },
      headers: headers(),
      body: { amount, iban: IBAN, holder: 'Anna', reason },
    }),
    billing.api.call(finance.payOut, {
      params: { userId },
      headers: headers(),
      body: { amount, reference: 'RF 4711', reason },
    }),
    ...bodyOf(await customer.api.call(finance.listTransactions, { query: {} }), 200)
      .items.filter(({ type }) => type === 'fill_balance')
      .map(({ id }) =>
        billing.api.call(contract.refundTopUp, {
          params: { userId, id },
          headers: headers(),
          body: { amount, reason },
        }),
      ),
  ])
  expect(staffs).toHaveLength(4)
  for (const answer of staffs)
    expect(answer).toMatchObject({ status: 409, body: refusal(409, 'nothing_to_pay_out') })
  await expect(movable(app, app.db, userId)).rejects.toThrow()
  // Staff take it off the other payment, and mark the line as done.
  bodyOf(
    await billing.api.call(finance.chargeBackTopUp, {
      params: { userId, id: second },
      headers: headers(),
      body: { amount: '4000', reason: 'The first payment was disputed after it was paid out' },
    }),
    201,
  )
  await settleAll(customer)
  expect(await moneyOf(customer)).toEqual(['1000', '0', '1000'])
  expect((await ask(customer, '1000')).status).toBe(201)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('rule 61: money that comes later is held as well, and a part of what is there may leave', async () => {
  const customer = await signedInCustomer(test)
  const first = await paid(customer)
  const payout = await paidOut(customer)
  await tell(first, 'charged_back', { amount: '3000' })
  expect(await moneyOf(customer)).toEqual(['0', '3000', '0'])
  await paid(customer)
  expect(await moneyOf(customer)).toEqual(['5000', '3000', '2000'])
  expect((await ask(customer, '2001')).status).toBe(409)
  expect((await ask(customer, '2000')).status).toBe(201)
  expect(await moneyOf(customer)).toEqual(['3000', '3000', '0'])
  // The payout of the disputed payment comes back: the bank can take it now, and staff do so.
  bodyOf(
    await billing.api.call(returnPayout, {
      params: { userId: customer.user_id, id: payout },
      headers: headers(),
      body: { reason: 'No such account' },
    }),
    201,
  )
  expect(await moneyOf(customer)).toEqual(['8000', '3000', '5000'])
  await settleAll(customer)
  expect(await moneyOf(customer)).toEqual(['8000', '0', '8000'])
})

it('rule 61: a dispute that is reinstated gives back what it took and no more, and what it did not take stays held until staff settle it', async () => {
  const customer = await signedInCustomer(test)
  const first = await paid(customer)
  bodyOf(await ask(customer, '2000'), 201)
  await tell(first, 'charged_back', { amount: '5000' })
  expect(await moneyOf(customer)).toEqual(['0', '2000', '0'])
  await tell(first, 'reinstated', { amount: '5000' })
  expect(await moneyOf(customer)).toEqual(['3000', '2000', '1000'])
  expect((await linesOf(customer)).map(({ cause, amount }) => [cause, amount?.amount])).toEqual([
    ['more_than_taken', '2000'],
    ['more_than_left', '2000'],
  ])
  await settleAll(customer)
  expect(await moneyOf(customer)).toEqual(['3000', '0', '3000'])
})

it('of a dispute in another currency the whole payment is held, and of money that came nothing', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const first = await paid(customer)
  await tell(first, 'charged_back', { amount: '100', currency: 'USD' })
  expect(await moneyOf(customer)).toEqual(['5000', '5000', '0'])
  await settleAll(customer)
  const line = {
    provider: 'test',
    payment_reference: null,
    reason: '',
    currency: 'EUR',
    amount: 10_00n,
  } as const
  await transaction(app, 'system', async (tx) => {
    for (const [kind, cause] of [
      ['paid', 'other_amount'],
      ['reinstated', 'more_than_taken'],
      ['charged_back', 'waits'],
    ] as const)
      await keepUnbooked(tx, { ...line, kind, event_id: randomUUID() }, cause, { user_id })
  })
  expect(await moneyOf(customer)).toEqual(['5000', '0', '5000'])
  expect(await balanceOf(app, app.db, user_id)).toBe(50_00n)
})
