import { refunded } from '#features/finance/contract.ts'
import { on } from '#foundation/server/events.ts'
import { creditNote } from './credit.ts'

/** What is given back gets its credit note, in the transaction that gives it back. */
export const reactions = [
  on(refunded, async (app, tx, refund) => {
    const { user_id, transaction_id, refund_transaction_id, amount, reason } = refund
    await creditNote(app, tx, { user_id, transaction_id, refund_transaction_id, amount, reason })
  }),
]
