import { paths } from '#features/paths.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import type { LimitName } from '#features/invoices/rules.ts'
import { limitText } from '#features/invoices/texts.ts'
import * as m from '#texts/messages.js'

type AboutVatId = { vat_id: string }

/** The mail after the authority confirmed the VAT id: from now on the customer is liable for the VAT. */
export const vatIdVerified = mailTemplate<AboutVatId>(
  'vat_id_verified',
  'money',
  [{ vat_id: 'DE123456789' }],
  ({ vat_id }, { locale, operator }) => ({
    subject: m.invoices_mail_vat_valid_subject({}, { locale }),
    paragraphs: [m.invoices_mail_vat_valid_text({ vat_id, operator: operator.name }, { locale })],
  }),
)

/** The mail after a week of questions: VAT is charged until the authority confirms the VAT id. */
export const vatIdNotVerified = mailTemplate<AboutVatId>(
  'vat_id_not_verified',
  'money',
  [{ vat_id: 'DE123456789' }],
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
  [{}],
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

const turnover = { sum: 9_100_00n, limit: 10_000_00n, currency: 'EUR' }

/** Tells staff that the turnover of this year comes near a limit on which the VAT depends, or has passed it. */
export const limitReached = mailTemplate<Limit>(
  'limit_reached',
  'money',
  [
    { ...turnover, name: 'eu_consumers', passed: false },
    { ...turnover, name: 'small_business', passed: true },
  ],
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
