import { paths } from '#features/paths.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import type { InvoiceKind, LimitName } from '#features/invoices/rules.ts'
import { documentText, limitText } from '#features/invoices/texts.ts'
import * as m from '#texts/messages.js'

type Values = {
  public_id: string
  number: string
  kind: InvoiceKind
  cancels: boolean
  total: bigint
  currency: string
}

/** Announces an invoice or a credit note, with a link to it. The documents stay behind the sign-in. */
export const invoiceIssued = mailTemplate<Values>(
  'invoice_issued',
  'money',
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
export const invoiceReissued = mailTemplate<Reissued>(
  'invoice_reissued',
  'money',
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

type AboutVatId = { vat_id: string }

/** The mail after the authority confirmed the VAT id: from now on the customer is liable for the VAT. */
export const vatIdVerified = mailTemplate<AboutVatId>(
  'vat_id_verified',
  'money',
  ({ vat_id }, { locale, operator }) => ({
    subject: m.invoices_mail_vat_valid_subject({}, { locale }),
    paragraphs: [m.invoices_mail_vat_valid_text({ vat_id, operator: operator.name }, { locale })],
  }),
)

/** The mail after a week of questions: VAT is charged until the authority confirms the VAT id. */
export const vatIdNotVerified = mailTemplate<AboutVatId>(
  'vat_id_not_verified',
  'money',
  ({ vat_id }, { locale, link, operator }) => ({
    subject: m.invoices_mail_vat_unverified_subject({}, { locale }),
    paragraphs: [m.invoices_mail_vat_unverified_text({ vat_id, operator: operator.name }, { locale })],
    action: { label: m.invoices_mail_vat_unverified_action({}, { locale }), url: link(paths.account()) },
  }),
)

/** Asks a customer whose VAT rests on doubted facts to say where they live. The question stands in the account. */
export const placeQuestion = mailTemplate<object>(
  'place_question',
  'money',
  (_, { locale, link, operator }) => ({
    subject: m.invoices_mail_place_subject({}, { locale }),
    paragraphs: [
      m.invoices_mail_place_text({ operator: operator.name }, { locale }),
      m.invoices_mail_place_answer({}, { locale }),
    ],
    action: { label: m.invoices_mail_place_action({}, { locale }), url: link(paths.account()) },
  }),
)

type Limit = { name: LimitName; passed: boolean; sum: bigint; limit: bigint; currency: string }

/** Tells staff that the turnover of this year comes near a limit on which the VAT depends, or has passed it. */
export const limitReached = mailTemplate<Limit>(
  'limit_reached',
  'money',
  ({ name, passed, ...values }, { locale, link }) => {
    const [sum, limit] = [values.sum, values.limit].map((amount) =>
      moneyText(toMoney(amount, values.currency), locale),
    )
    const said = { what: limitText(name, locale), sum: sum ?? '', limit: limit ?? '' }
    return {
      subject: passed
        ? m.invoices_mail_limit_passed_subject({}, { locale })
        : m.invoices_mail_limit_near_subject({}, { locale }),
      paragraphs: [
        m.invoices_mail_limit_text(said, { locale }),
        name === 'eu_consumers'
          ? m.invoices_mail_limit_elsewhere({}, { locale })
          : m.invoices_mail_limit_small({}, { locale }),
      ],
      action: { label: m.invoices_mail_limit_action({}, { locale }), url: link(paths.system()) },
    }
  },
)
