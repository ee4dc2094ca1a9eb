import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { balanceOf, charge, findTransaction, linkInvoice } from './finance.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'

const test = await startTestApp()
const { app } = test

const spend = (user_id: string, amount: bigint) =>
  transaction(app, { userId: user_id }, (tx) =>
    charge(app, tx, {
      user_id,
      amount,
      gift: 0n,
      type: 'spend',
      description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
      host_id: 'a-host',
    }),
  )
const refund = (user_id: string, transaction_id: string, amount?: bigint) =>
  transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'It did not start' }),
  )

const outcomes = async (tries: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(tries)
  const refusals = settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  return { done: settled.length - refusals.length, refusals: [...new Set(refusals)] }
}

it('rule 8, H-03: of 50 charges at once against the price of one, exactly one goes through', async () => {
  // Naively (select the balance, compare, update it to the difference) all 50 went through.
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 19_90n)
  const { done, refusals } = await outcomes(Array.from({ length: 50 }, () => spend(user_id, 19_90n)))
  expect([done, refusals]).toEqual([1, ['Error: 402 insufficient_balance']])
  expect(await balanceOf(app, app.db, user_id)).toBe(0n)
})

it('charges exactly, returns the new balance, and shows the charge with its purpose', async () => {
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 50_00n)
  const { transaction_id, balance_after } = await spend(user_id, 19_90n)
  expect(balance_after).toBe(30_10n)
  const invoice_id = randomUUID().slice(0, 22)
  await transaction(app, { userId: user_id }, (tx) =>
    linkInvoice(tx, { user_id, transaction_id, invoice_id }),
  )
  expect(await findTransaction(app.db, user_id, transaction_id)).toMatchObject({
    type: 'spend',
    amount: { amount: '-1990', currency: 'EUR' },
    balance_after: { amount: '3010' },
    description: { code: 'licence_order', params: { plan: 'Standard' } },
    invoice_id,
    host_id: 'a-host',
  })
  const stranger = await signedInCustomer(test)
  expect(await findTransaction(app.db, stranger.user_id, transaction_id)).toBeUndefined()
})

it('a customer without any transaction has nothing and can spend nothing', async () => {
  const { user_id } = await signedInCustomer(test)
  expect(await balanceOf(app, app.db, user_id)).toBe(0n)
  await expect(spend(user_id, 1n)).rejects.toThrow('402 insufficient_balance')
})

it('20 simultaneous first transactions of a customer are all posted to one account', async () => {
  const { user_id } = await signedInCustomer(test)
  await Promise.all(Array.from({ length: 20 }, () => addMoney(app, user_id, 1_00n)))
  expect(await balanceOf(app, app.db, user_id)).toBe(20_00n)
})

it('F-01 refunds as the type that belongs to the spending, in parts, never more than was spent', async () => {
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 100_00n)
  const { transaction_id } = await spend(user_id, 60_00n)
  const first = await refund(user_id, transaction_id, 20_00n)
  expect(first.balance_after).toBe(60_00n)
  expect((await findTransaction(app.db, user_id, first.transaction_id))?.type).toBe('return_on_balance')
  await expect(refund(user_id, transaction_id, 40_01n)).rejects.toThrow('409 not_refundable')
  expect((await refund(user_id, transaction_id)).balance_after).toBe(100_00n)
  await expect(refund(user_id, transaction_id)).rejects.toThrow('409 not_refundable')
  await expect(refund(user_id, first.transaction_id)).rejects.toThrow('409 not_refundable')
})

it('of 20 simultaneous refunds of one spending, one succeeds and the other 19 are refused', async () => {
  // Naively (the rest was read before the balance was locked) the trigger refused the others with a 500, not
  // a 409.
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 10_00n)
  const { transaction_id } = await spend(user_id, 10_00n)
  const { done, refusals } = await outcomes(Array.from({ length: 20 }, () => refund(user_id, transaction_id)))
  expect([done, refusals]).toEqual([1, ['Error: 409 not_refundable']])
  expect(await balanceOf(app, app.db, user_id)).toBe(10_00n)
})

it("rule 4: another customer's spending cannot be refunded", async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  await addMoney(app, one.user_id, 10_00n)
  const { transaction_id } = await spend(one.user_id, 10_00n)
  await expect(refund(other.user_id, transaction_id)).rejects.toThrow('404 not_found')
})

it("notifies the customer's open pages, by a job and not in the transaction itself", async () => {
  await test.startWorker()
  const { user_id, api } = await signedInCustomer(test)
  const stream = await openEvents(test.url, api.access_token ?? '')
  await addMoney(app, user_id, 10_00n)
  await stream.until(({ type }) => type === 'balance.changed')
  stream.close()
})
