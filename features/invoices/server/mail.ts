import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { enqueueMail, type Attachment } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { isLeitwegId } from '#features/invoices/leitweg-id.ts'
import { billingAddress } from './billing.ts'
import * as billing from './billing-queries.ts'
import { documentOf } from './document-queries.ts'
import { files } from './download.ts'
import { invoiceIssued, invoiceReissued } from './mail-templates.ts'
import * as queries from './queries.ts'

/**
 * Queues the mail that announces an invoice, with the documents that are ready. Called when the documents have
 * been made, and a minute after the issue in any case: the first call writes the mail, and the second call finds
 * it written.
 */
export async function mailInvoice(app: App, user_id: string, public_id: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const row = await queries.invoiceOf(tx, user_id, public_id)
    const user = await findUser(tx, user_id)
    if (!row || !user?.is_active) return
    if (!(await billing.claimMail(tx, { invoice_id: row.id, user_id }))) return
    const details = await billing.billingOf(tx, user_id)
    const { number, kind, cancels, total, currency, locale, replaced_number } = row
    const to = await billingAddress(tx, { id: user_id, email: user.email }, details)
    const mail = { user_id, to, locale }
    const cancelled = await queries.creditNoteBeside(tx, row)
    const shown = cancelled ? [row, cancelled] : [row]
    const attachments = details.send_pdf
      ? (await Promise.all(shown.map((document) => attachmentsOf(tx, document)))).flat()
      : []
    if (cancelled && replaced_number !== null) {
      const difference = cancelled.total - total
      const numbers = { number, replaced: replaced_number, credit_note: cancelled.number }
      const values = { public_id, ...numbers, cancels: cancelled.cancels, difference, currency }
      await enqueueMail(app, tx, { ...mail, template: invoiceReissued, values, attachments })
    } else {
      const values = { public_id, number, kind, cancels, total, currency }
      await enqueueMail(app, tx, { ...mail, template: invoiceIssued, values, attachments })
    }
  })
}

/** Returns the PDF as an attachment; for an authority, whose inbox reads XRechnung, the XRechnung as well. */
async function attachmentsOf(db: App['db'], row: queries.InvoiceRow): Promise<Attachment[]> {
  const wanted = isLeitwegId(row.buyer_reference) ? (['pdf', 'xrechnung'] as const) : (['pdf'] as const)
  const contents = await Promise.all(
    wanted.map(async (format) => ({ format, content: await documentOf(db, row.id, { format }) })),
  )
  return contents.flatMap(({ format, content }) =>
    content ? [{ filename: `${row.number}${files[format].ending}`, type: files[format].type, content }] : [],
  )
}
