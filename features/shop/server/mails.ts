import type { Translated } from '#foundation/locale.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'
import { buyAddress, openAddress } from './addresses.ts'

const plan = { en: 'Business', de: 'Business', ru: 'Бизнес' }
const opened = { key: EXAMPLE.key, plan, ordered: true }
type Opened = { key: string; plan: Translated | null; ordered: boolean }

/** The mail with the link that proves the address of a new account, and sets its password. */
export const accountOpened = mailTemplate<Opened>(
  'account_opened',
  'security',
  [opened, { ...opened, ordered: false }],
  (values, { locale, operator, pageAt }) => ({
    own: [values.plan?.[locale] ?? ''],
    subject: values.ordered
      ? m.shop_mail_ready_subject({ plan: values.plan?.[locale] ?? '' }, { locale })
      : m.shop_mail_paid_subject({ operator: operator.name }, { locale }),
    paragraphs: [
      values.ordered
        ? m.shop_mail_ready_text({ plan: values.plan?.[locale] ?? '', operator: operator.name }, { locale })
        : m.shop_mail_paid_text({ plan: values.plan?.[locale] ?? '', operator: operator.name }, { locale }),
    ],
    action: { label: m.shop_mail_open({}, { locale }), url: pageAt(openAddress(values.key)) },
    closing: [m.shop_mail_open_closing({}, { locale })],
  }),
)

const waiting = { key: EXAMPLE.key, plan, paid: toMoney(59_38n, 'EUR') }

/** The mail that asks the owner of an account whether a payment that named its address is theirs. */
export const purchaseWaits = mailTemplate<{ key: string; plan: Translated; paid: Money }>(
  'purchase_waits',
  'security',
  [waiting],
  (values, { locale, money, pageAt }) => ({
    own: [values.plan[locale]],
    subject: m.shop_mail_waits_subject({ paid: money(values.paid) }, { locale }),
    paragraphs: [m.shop_mail_waits_text({ paid: money(values.paid), plan: values.plan[locale] }, { locale })],
    action: { label: m.shop_mail_waits_action({}, { locale }), url: pageAt(openAddress(values.key)) },
    closing: [m.shop_mail_waits_closing({}, { locale })],
  }),
)

type Failed = { email: string; slug: string; plan: Translated; amount: Money }
const failed = { email: EXAMPLE.email, slug: 'business-month', plan, amount: waiting.paid }

/** The mail that tells a buyer without an account, days after the form, that the bank did not pay. */
export const purchaseFailed = mailTemplate<Failed>(
  'purchase_failed',
  'money',
  [failed],
  ({ email, slug, plan: name, amount }, { locale, money, operator, pageAt }) => ({
    own: [name[locale]],
    subject: m.shop_mail_failed_subject({ plan: name[locale] }, { locale }),
    paragraphs: [
      m.shop_mail_failed_text(
        { amount: money(amount), plan: name[locale], operator: operator.name },
        { locale },
      ),
    ],
    action: { label: m.shop_failed_again({}, { locale }), url: pageAt(buyAddress(slug, { locale, email })) },
    closing: [m.shop_mail_failed_closing({}, { locale })],
  }),
)
