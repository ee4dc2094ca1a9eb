import { refunded } from '#features/finance/contract.ts'
import { linkInvoice } from '#features/finance/server/finance.ts'
import { on, type Reaction } from '#foundation/server/events.ts'
import { creditNote } from './credit.ts'

/** What is given back gets its credit note, in the transaction that gives it back, and is linked with it. */
export const reactions: readonly Reaction[] = [
  on(refunded, async (app, tx, { user_id, transaction_id, refund_transaction_id, amount, reason }) => {
    const refund = { user_id, transaction_id, refund_transaction_id, amount, reason }
    const note = await creditNote(app, tx, refund)
    if (note)
      await linkInvoice(tx, { user_id, transaction_id: refund_transaction_id, invoice_id: note.public_id })
  }),
]
