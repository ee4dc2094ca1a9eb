import { paths } from '#features/paths.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import type { InvoiceKind } from '#features/invoices/rules.ts'
import * as m from '#texts/messages.js'

type Values = { public_id: string; number: string; kind: InvoiceKind; total: bigint; currency: string }

/** Announces an invoice or a credit note, with a link to it. The documents stay behind the sign-in. */
export const invoiceIssued = mailTemplate<Values>(
  'invoice_issued',
  'money',
  (values, { locale, link, operator }) => {
    const { public_id, number, kind, currency } = values
    const total = moneyText(toMoney(values.total, currency), locale)
    const say = kind === 'invoice' ? invoiceTexts : creditTexts
    return {
      subject: say.subject({ number }, { locale }),
      paragraphs: [say.text({ number, total, operator: operator.name }, { locale })],
      action: {
        label: say.action({}, { locale }),
        url: link(paths.invoice(public_id)),
      },
    }
  },
)

const invoiceTexts = {
  subject: m.invoices_mail_subject,
  text: m.invoices_mail_text,
  action: m.invoices_mail_action,
}
const creditTexts = {
  subject: m.invoices_mail_credit_subject,
  text: m.invoices_mail_credit_text,
  action: m.invoices_mail_credit_action,
}
