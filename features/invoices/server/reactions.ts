import { dataRequested, taxDataSaved, userDeactivated } from '#features/profile/contract.ts'
import { on, type Reaction } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import { billingOf, eraseBilling } from './billing-queries.ts'
import { askIfItMatters } from './check-vat-id.ts'
import { findDocument } from './download.ts'
import { closeQuestion, questionsTo } from './place-queries.ts'
import { findInvoice, pageOfInvoices } from './read.ts'
import { checksOf } from './vat-evidence-queries.ts'

const MOST_CHECKS = 1_000

export const reactions: readonly Reaction[] = [
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
