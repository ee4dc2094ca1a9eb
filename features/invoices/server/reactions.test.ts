import { expect, it } from 'vitest'
import { charge, findTransaction, linkInvoice } from '#features/finance/server/finance.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import * as contract from '#features/invoices/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { issueIn } from '#tests/harness/invoices.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test

async function buy(user_id: string, net: bigint, total: bigint) {
  await addMoney(app, user_id, total)
  return transaction(app, { userId: user_id }, async (tx) => {
    const description = {
      code: 'licence_order',
      params: { host: 'brave-otter-42', plan: 'Standard' },
    } as const
    const { transaction_id } = await charge(app, tx, {
      user_id,
      amount: total,
      gift: 0n,
      type: 'spend',
      description,
    })
    const { public_id } = await issueIn(app, tx, user_id, { nets: [net], transaction_id })
    await linkInvoice(tx, { user_id, transaction_id, invoice_id: public_id })
    return { transaction_id, public_id }
  })
}

it('rule 13: a refund writes a credit note in its own transaction, and each refers to the other', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const { transaction_id, public_id } = await buy(user_id, 1_000n, 1_190n)
  const refund = (amount?: bigint) =>
    transaction(app, 'system', (tx) =>
      bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'It did not start' }),
    )
  const first = await refund(500n)
  const shown = await findTransaction(app.db, user_id, first.transaction_id)
  expect(shown?.invoice_id).toMatch(/^[\w-]{22}$/)
  const note = await api.call(contract.getInvoice, { params: { publicId: must(must(shown).invoice_id) } })
  expect(note.body).toMatchObject({
    kind: 'credit_note',
    cancels: false,
    total: { amount: '500' },
    credit_note_of: { id: public_id },
  })
  await refund()
  const original = await api.call(contract.getInvoice, { params: { publicId: public_id } })
  expect(original.body).toMatchObject({ status: 'void' })
  expect(original.body.credit_notes.map(({ total }) => total.amount)).toEqual(['500', '690'])
})

it('a refund of a charge without an invoice needs no credit note', async () => {
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 500n)
  const description = { code: 'licence_order', params: {} } as const
  const { transaction_id } = await transaction(app, { userId: user_id }, (tx) =>
    charge(app, tx, { user_id, amount: 500n, gift: 0n, type: 'spend', description }),
  )
  const { transaction_id: back } = await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id, transaction_id, reason: 'Goodwill' }),
  )
  expect((await findTransaction(app.db, user_id, back))?.invoice_id).toBeNull()
})
