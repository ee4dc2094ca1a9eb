import type { Handler } from '#foundation/server/http/handler.ts'
import { seeMoney } from '#foundation/capability.ts'
import { INVOICE_CREATED } from '#features/invoices/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishing } from '#foundation/server/realtime/publishing-job.ts'
import { taxDataSaved, userDeactivated } from '#features/profile/contract.ts'
import { on, type Reaction } from '#foundation/server/events.ts'
import { forgetNetwork } from './first-network-queries.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import * as billing from './billing.ts'
import { getCustomerStatus } from './customer-vat-status.ts'
import * as download from './download.ts'
import { prepareDocuments, findDocument } from './download.ts'
import * as read from './read.ts'
import { findInvoice, pageOfInvoices } from './read.ts'
import { answerPlace, getPlace, listQuestions, closeSettled } from './place-questions.ts'
import { preview, reissue, ownedInvoice } from './reissue.ts'
import { listVatIds } from './vat-id-list.ts'
import { checkCustomer, overrideVat, overrideVatAct } from './vat-override.ts'
import * as statement from './statement.ts'
import { getStatus } from './vat-status.ts'
import { CHECK_VAT_ID, askDueVatIds, checkVatId, type VatIdToCheck, askIfItMatters } from './check-vat-id.ts'
import { INVOICE_ISSUED, MAIL_INVOICE, MAKE_DOCUMENTS } from './issue.ts'
import { mailInvoice } from './invoice-mails.ts'
import { tellOfLimits } from './seller-limits.ts'
import { eraseOutdated } from './document-queries.ts'
import { deleteOldQuestions, closeQuestion, questionsTo } from './place-queries.ts'
import { billingOf, eraseBilling } from './billing-queries.ts'
import { checksOf } from './vat-evidence-queries.ts'
import * as events from '#features/invoices/event-contract.ts'

export const routes: readonly Handler[] = [
  read.list,
  billing.getBilling,
  billing.saveBilling,
  getStatus,
  getCustomerStatus,
  overrideVat,
  checkCustomer,
  listVatIds,
  getPlace,
  answerPlace,
  listQuestions,
  preview,
  reissue,
  read.get,
  statement.getStatement,
  statement.downloadStatement,
  statement.getCustomerStatement,
  statement.downloadCustomerStatement,
  download.pdf,
  download.xrechnung,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  // The event is not published in the invoice's own transaction: live events make commits take turns, and that transaction moves money.
  publishing(INVOICE_ISSUED, ({ user_id, public_id }: { user_id: string; public_id: string }) => ({
    user_id,
    event: { type: INVOICE_CREATED, id: public_id },
    audience: seeMoney,
  })),
  job<{ user_id: string; public_id: string; mail?: boolean }>(
    MAKE_DOCUMENTS,
    async (app, { user_id, public_id, mail = false }) => {
      await prepareDocuments(app, user_id, public_id)
      if (mail) await mailInvoice(app, user_id, public_id)
    },
  ),
  job<{ user_id: string; public_id: string }>(MAIL_INVOICE, (app, { user_id, public_id }) =>
    mailInvoice(app, user_id, public_id),
  ),
  job<VatIdToCheck>(CHECK_VAT_ID, checkVatId),
  cronJob(jobKind('tell_of_limits', 'rest'), 86_400, tellOfLimits),
  cronJob(jobKind('due_vat_id_checks', 'rest'), 3_600, askDueVatIds),
  cronJob(jobKind('erase_outdated_invoices', 'rest'), 86_400, (app) =>
    transaction(app, 'system', async (tx) => {
      await eraseOutdated(tx)
      await deleteOldQuestions(tx)
    }),
  ),
  cronJob(jobKind('settled_place_questions', 'rest'), 3_600, closeSettled),
]

const MOST_CHECKS = 1_000

export const reactions: readonly Reaction[] = [
  on(taxDataSaved, (app, tx, { user_id }) => askIfItMatters(app, tx, user_id)),
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await eraseBilling(tx, user_id)
    await closeQuestion(tx, user_id)
    await forgetNetwork(tx, user_id)
  }),
]

export const personalData: PersonalData = async (app, tx, user_id) => {
  const rows = await everyItem((cursor) => pageOfInvoices(app, tx, user_id, { limit: 100, cursor }))
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

export const approvable: readonly ApprovableAct[] = [overrideVatAct]

/** No member of staff acts on a thing of their own. */
export const ownedThings: readonly OwnedThing[] = [ownedInvoice]
