import { paths } from '#features/paths.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { enqueueMail, type Attachment } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { InvoiceKind } from '#features/invoices/rules.ts'
import { documentText } from '#features/invoices/texts.ts'
import { isLeitwegId } from '#features/invoices/leitweg-id.ts'
import * as m from '#texts/messages.js'
import { billingAddress } from './billing.ts'
import { documentOf } from './document-queries.ts'
import { files } from './download.ts'
import * as billing from './billing-queries.ts'
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

type Values = {
  public_id: string
  number: string
  kind: InvoiceKind
  cancels: boolean
  total: bigint
  currency: string
}

const example = { public_id: 'example', number: 'RE-2026-0043', cancels: true, currency: 'EUR' }

/** Announces an invoice or a credit note, with a link to it. The documents stay behind the sign-in. */
const invoiceIssued = mailTemplate<Values>(
  'invoice_issued',
  'money',
  [
    { ...example, kind: 'invoice', total: 24_00n },
    { ...example, kind: 'credit_note', total: -24_00n },
  ],
  (values, { locale, link, operator }) => {
    const { public_id, number, kind, currency } = values
    const total = moneyText(toMoney(values.total, currency), locale)
    const document = documentText(values, locale)
    const say = kind === 'invoice' ? invoiceTexts : creditTexts
    return {
      subject: say.subject({ number, document }, { locale }),
      paragraphs: [say.text({ number, total, document, operator: operator.name }, { locale })],
      action: {
        label: say.action({ document }, { locale }),
        url: link(paths.invoice(public_id)),
      },
    }
  },
)

type Reissued = {
  public_id: string
  number: string
  /** The number of the invoice that was replaced; `credit_note` is that of the document that cancelled it. */
  replaced: string
  credit_note: string
  cancels: boolean
  /** Minor units that came back to the balance; 0n for none. */
  difference: bigint
  currency: string
}

/** Announces an invoice that replaces an earlier invoice, and the document that cancels the earlier one. */
const invoiceReissued = mailTemplate<Reissued>(
  'invoice_reissued',
  'money',
  [
    { ...example, replaced: 'RE-2026-0041', credit_note: 'RE-2026-0042', difference: 0n },
    { ...example, replaced: 'RE-2026-0041', credit_note: 'RE-2026-0042', difference: 4_00n },
  ],
  ({ public_id, number, replaced, credit_note, cancels, ...values }, { locale, link, operator }) => {
    const document = documentText({ kind: 'credit_note', cancels }, locale)
    const difference = moneyText(toMoney(values.difference, values.currency), locale)
    return {
      subject: m.invoices_mail_reissued_subject({ number, replaced }, { locale }),
      paragraphs: [
        m.invoices_mail_reissued_text({ number, replaced, credit_note, document }, { locale }),
        values.difference === 0n
          ? m.invoices_mail_reissued_same({}, { locale })
          : m.invoices_mail_reissued_less({ difference, operator: operator.name }, { locale }),
      ],
      action: { label: m.invoices_mail_action({}, { locale }), url: link(paths.invoice(public_id)) },
    }
  },
)

const invoiceTexts = {
  subject: m.invoices_mail_subject,
  text: m.invoices_mail_text,
  action: (_: object, options: { locale: MailLocale }) => m.invoices_mail_action({}, options),
}
const creditTexts = {
  subject: m.invoices_mail_credit_subject,
  text: m.invoices_mail_credit_text,
  action: m.invoices_mail_credit_action,
}
