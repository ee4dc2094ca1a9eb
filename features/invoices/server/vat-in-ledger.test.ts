import { afterAll, expect, it } from 'vitest'
import { bookRefund, checkLedger, splitPastVat } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { liveLedger, soldVats, vatByMonth } from '#tests/harness/ledger-history.ts'
import { addMoney } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { joinVatWithRevenue } from '#tests/harness/vat-of-the-past.ts'

const STEPS = 120

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

it(`B-05 rules 7 and 13: of ${STEPS} random sales, gifts, reissues, refunds and chargebacks the sides cancel out, and the accounts for VAT hold what the documents state`, async () => {
  const { did } = await liveLedger(test, STEPS)
  expect(Object.keys(did).toSorted()).toEqual(['charge back', 'gift', 'refund', 'reissue', 'rest', 'sell'])
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth(superuser)).toEqual([])
}, 120_000)

const balances = async () =>
  (await superuser.query('select user_id, currency, balance, last_seq from balances order by 1, 2')).rows

it('B-05 rules 7 and 13: splits the VAT of the past once, in any number of tries at once, and moves no balance', async () => {
  const before = await balances()
  const [sold] = (
    await superuser.query<{ count: string }>(
      'select count(*) from ledger_documents where vat <> 0 and version = 1',
    )
  ).rows
  await joinVatWithRevenue(superuser)
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: sold?.count, damages: [] })

  await Promise.all([splitPastVat(app, 7), splitPastVat(app, 10), splitPastVat(app, 1000)])
  expect(await splitPastVat(app)).toBe(0)

  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth(superuser)).toEqual([])
  expect(await balances()).toEqual(before)
  const { rows } = await superuser.query<{ count: string }>(
    'select count(*) from transactions t join ledger_documents d on d.public_id = t.splits_document where d.version = 1',
  )
  expect(rows).toEqual([sold])
})

it('rule 13: a refund of a sale of the past moves its own VAT, before and after the split', async () => {
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 1000_00n)
  const sale = await sell(app, { user_id, nets: [100_00n], vat: must(soldVats(app)[0]) })
  await joinVatWithRevenue(superuser)
  const { transaction_id } = sale
  const refund = (amount?: bigint) =>
    transaction(app, 'system', (tx) => bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'x' }))
  await refund(11_90n)
  await splitPastVat(app)
  await refund()
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth(superuser)).toEqual([])
})
