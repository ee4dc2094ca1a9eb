import { seeMoney } from '#foundation/capability.ts'
import { INVOICE_CREATED } from '#features/invoices/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishing } from '#foundation/server/realtime/publishing-job.ts'
import { CHECK_VAT_ID, askDueVatIds, checkVatId, type VatIdToCheck } from './check-vat-id.ts'
import { prepareDocuments } from './download.ts'
import { INVOICE_ISSUED, MAIL_INVOICE, MAKE_DOCUMENTS } from './issue.ts'
import { mailInvoice } from './invoice-mails.ts'
import { tellOfLimits } from './seller-limits.ts'
import { eraseOutdated } from './keeping-queries.ts'
import { deleteOldQuestions } from './place-queries.ts'
import { closeSettled } from './place-questions.ts'

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
