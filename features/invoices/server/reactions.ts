import { creditBegins, refunded, vatShareRequested } from '#features/finance/contract.ts'
import { linkInvoice } from '#features/finance/server/finance.ts'
import { dataRequested, taxDataSaved, userDeactivated } from '#features/profile/contract.ts'
import { on, type Reaction } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import { billingOf, eraseBilling } from './billing-queries.ts'
import { askIfItMatters } from './check-vat-id.ts'
import { creditNote, lockCredits, vatShareOf } from './credit.ts'
import { findDocument } from './download.ts'
import { closeQuestion, questionsTo } from './place-queries.ts'
import { findInvoice, pageOfInvoices } from './read.ts'
import { checksOf } from './vat-evidence-queries.ts'

const MOST_CHECKS = 1_000

/**
 * A refund gets its credit note in its own transaction, and is linked with the note. Rule 9: an invoice's credits are locked after the
 * servers and before the balance, and the balance before the counter of invoice numbers.
 */
export const reactions: readonly Reaction[] = [
  on(creditBegins, async (_app, tx, spending) => void (await lockCredits(tx, spending))),
  on(vatShareRequested, async (_app, tx, { answer, ...refund }) => {
    const share = await vatShareOf(tx, refund)
    if (share) answer(share)
  }),
  on(refunded, async (app, tx, { user_id, refund_transaction_id, ...refund }) => {
    const note = await creditNote(app, tx, { ...refund, user_id, refund_transaction_id })
    if (note)
      await linkInvoice(tx, { user_id, transaction_id: refund_transaction_id, invoice_id: note.public_id })
  }),
  on(taxDataSaved, (app, tx, { user_id }) => askIfItMatters(app, tx, user_id)),
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await eraseBilling(tx, user_id)
    await closeQuestion(tx, user_id)
  }),
  on(dataRequested, async (app, tx, { user_id, add }) => {
    const rows = await everyItem((cursor) => pageOfInvoices(tx, user_id, { limit: 100, cursor }))
    add('vat_ids.json', () => checksOf(app.db, user_id, MOST_CHECKS))
    add('place_questions.json', () => questionsTo(app.db, user_id))
    add('billing.json', () => billingOf(app.db, user_id))
    add('invoices.json', () => Promise.all(rows.map(({ id }) => findInvoice(app, app.db, user_id, id))))
    for (const { id, number } of rows)
      add(
        `invoices/${number}.pdf`,
        async () => (await findDocument(app, { user_id, public_id: id }, { format: 'pdf' })).content,
      )
  }),
]
