import { paths } from '#features/paths.ts'
import { checkoutName, whyRefused } from '#features/sales/texts.ts'
import type { CheckoutPurpose, PaidBulkAct } from '#features/sales/rules.ts'
import type { Translated } from '#foundation/locale.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Named = {
  /** The public id of the checkout. */
  id: string
  for: CheckoutPurpose
  plan: Translated | null
  host_name: string
  bulk?: { act: PaidBulkAct; servers: number }
}
type Values = Named & { refusal: string; paid: Money }

const plan = { en: 'Business', de: 'Business', ru: 'Бизнес' }
const example: Values = {
  id: EXAMPLE.key,
  for: 'order',
  plan,
  host_name: 'web-1',
  refusal: 'ipv4_licensed',
  paid: toMoney(37_20n, 'EUR'),
}

/** The mail about an order that could not be done any more when its money had come. */
export const checkoutFailed = mailTemplate<Values>(
  'checkout_failed',
  'money',
  [
    example,
    { ...example, for: 'renewal', refusal: 'already_renewed' },
    { ...example, refusal: 'late' },
    {
      ...example,
      for: 'bulk',
      host_name: '',
      bulk: { act: 'renew', servers: 3 },
      refusal: 'servers_refused',
    },
  ],
  (values, { locale, money, link }) => ({
    own: [values.host_name, values.plan?.[locale] ?? ''],
    subject: m.sales_mail_checkout_subject({}, { locale }),
    paragraphs: [
      m.sales_mail_checkout_text(
        { what: checkoutName(values, { locale }), why: whyRefused(values.refusal, { locale }) },
        { locale },
      ),
      m.sales_mail_checkout_money({ paid: money(values.paid) }, { locale }),
    ],
    action: {
      label: m.sales_mail_checkout_action({}, { locale }),
      url: link(paths.finances({ checkout: values.id })),
    },
  }),
)

/** The mail about an order whose bank transfer did not come in time. */
export const checkoutExpired = mailTemplate<Named & { due: Money }>(
  'checkout_expired',
  'money',
  [{ ...example, due: example.paid }],
  (values, { locale, money, link }) => ({
    own: [values.host_name, values.plan?.[locale] ?? ''],
    subject: m.sales_mail_checkout_expired_subject({}, { locale }),
    paragraphs: [
      m.sales_mail_checkout_expired_text(
        { what: checkoutName(values, { locale }), due: money(values.due) },
        { locale },
      ),
    ],
    action: {
      label: m.sales_mail_checkout_action({}, { locale }),
      url: link(paths.finances({ checkout: values.id })),
    },
  }),
)
