import { taxDataSaved, userDeactivated } from '#features/profile/contract.ts'
import { on, type Reaction } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
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
]

export const personalData: PersonalData = async (app, tx, user_id) => {
  const rows = await everyItem((cursor) => pageOfInvoices(tx, user_id, { limit: 100, cursor }))
  const documents = rows.map(({ id, number }) => {
    const read = async () => (await findDocument(app, { user_id, public_id: id }, { format: 'pdf' })).content
    return [`invoices/${number}.pdf`, read] as const
  })
  return {
    'vat_ids.json': () => checksOf(app.db, user_id, MOST_CHECKS),
    'place_questions.json': () => questionsTo(app.db, user_id),
    'billing.json': () => billingOf(app.db, user_id),
    'invoices.json': () => Promise.all(rows.map(({ id }) => findInvoice(app, app.db, user_id, id))),
    ...Object.fromEntries(documents),
  }
}
