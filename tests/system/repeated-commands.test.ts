import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { redeemVoucher } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { buyer, orderHost, spendingOf, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const run = (name: string, parameters: string[], options: Record<string, string>) =>
  must(commands[name]).run(surroundings, parameters, options)

it('rule 10: a credit repeated with its key, eight times at once, is given once', async () => {
  const { email, user_id } = await signedInCustomer(test)
  const credit = (amount: string, idempotencyKey: string) =>
    run('credit', [email, amount, 'as agreed'], { idempotencyKey })
  const answers = await Promise.all(Array.from({ length: 8 }, () => credit('19.90', 'outage of May')))
  const data = { email, amount: '1990', currency: 'EUR' }
  for (const answer of answers) expect(answer).toEqual({ lines: [`${email} has 19.90 EUR more.`], data })
  expect(await balanceOf(app, app.db, user_id)).toBe(19_90n)
  // With the same key, another amount counts as a mistake and is refused; for another customer, the key belongs to another credit.
  await expect(credit('19.91', 'outage of May')).rejects.toThrow(Refused)
  await expect(credit('19.90', '')).rejects.toThrow(WrongUse)
  const other = await signedInCustomer(test)
  await run('credit', [other.email, '5.00', 'as agreed'], { idempotencyKey: 'outage of May' })
  expect(await balanceOf(app, app.db, other.user_id)).toBe(5_00n)
  await credit('1.00', 'outage of June')
  expect(await balanceOf(app, app.db, user_id)).toBe(20_90n)
})

it('rule 10: the keys of a customer and of the operator do not meet', async () => {
  const customer = await signedInCustomer(test)
  await run('credit', [customer.email, '2.00', 'as agreed'], { idempotencyKey: 'k-1' })
  const reply = await customer.api.call(redeemVoucher, {
    headers: { 'idempotency-key': 'k-1' },
    body: { code: 'NONE-SUCH' },
  })
  expect(reply.body).not.toMatchObject({ errors: [{ code: 'idempotency_key_reused' }] })
})

it('rule 10: a refund and a chargeback repeated with their keys answer again, and book once', async () => {
  const customer = await buyer(test, 5000n)
  bodyOf(await orderHost(customer), 201)
  const { id, reference } = await announceTransfer(customer, 2500)
  await run('transfer confirm', [reference], {})
  const spending = await spendingOf(test, customer.user_id)
  const before = must(await balanceOf(app, app.db, customer.user_id))
  const acts: [string, string, Record<string, string>, bigint][] = [
    ['refund', spending, { reason: 'Outage', amount: '1.50' }, 1_50n],
    ['charge-back', id, { reason: 'Sent back' }, -25_00n],
  ]
  let expected = before
  for (const [name, what, options, moved] of acts) {
    const act = () => run(name, [customer.email, what], { ...options, idempotencyKey: `${name} of today` })
    const first = await act()
    expected += moved
    expect(await act()).toEqual(first)
    expect(await balanceOf(app, app.db, customer.user_id)).toBe(expected)
  }
  await expect(checkLedger(must(app.ownerUrl))).resolves.toMatchObject({ damages: [] })
})
