import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import {
  mailTemplate,
  type Examples,
  type MailContext,
  type MailTemplate,
} from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { toMoney } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/** Queues a mail to the customer about their debt. A closed account gets none. */
export async function mailDebtor<Values extends object>(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<Values & { currency: string }>,
  values: Values,
): Promise<void> {
  await mailTo(app, tx, user_id, template, { ...values, currency: app.config.currency })
}

/** Returns the message for the pages of the suspended servers, in the customer's language. */
export async function messageOnServers(tx: Tx, user_id: string): Promise<string> {
  const user = await findUser(tx, user_id)
  return m.licences_debt_message({}, { locale: user?.locale ?? 'en' })
}

/** `amount` is the debt in minor units, above zero; `at` is the time of the suspension, null for never; `day` is 0 in the first mail. */
type Reminder = { amount: bigint; hosts: number; at: Date | null; day: number; currency: string }

const owed = { amount: 24_00n, currency: 'EUR' }
const reminders: Examples<Reminder> = [
  { ...owed, hosts: 1, at: EXAMPLE.until, day: 0 },
  { ...owed, hosts: 2, at: EXAMPLE.until, day: 7 },
  { ...owed, hosts: 0, at: null, day: 0 },
]
const [one, two] = [
  { ...owed, names: ['web-1'] },
  { ...owed, names: ['web-1', 'web-2'] },
]

export const debtReminder = mailTemplate<Reminder>('debt', 'money', reminders, (values, context) => {
  const { locale, money, time } = context
  const said = { amount: money(toMoney(values.amount, values.currency)) }
  const { at, hosts: count } = values
  return {
    subject:
      values.day === 0
        ? m.licences_mail_debt_subject(said, { locale })
        : m.licences_mail_debt_again(said, { locale }),
    paragraphs: [
      m.licences_mail_debt_text(said, { locale }),
      at === null || count === 0
        ? m.licences_mail_debt_orders({}, { locale })
        : m.licences_mail_debt_suspends({ at: time(at), count }, { locale }),
    ],
    action: toBalance(context),
    closing: [m.licences_mail_debt_wrong({}, { locale })],
  }
})

type Suspended = { amount: bigint; names: readonly string[]; currency: string }

export const debtSuspends = mailTemplate<Suspended>(
  'debt_suspends',
  'money',
  [one, two],
  (values, context) => {
    const { locale, money } = context
    const amount = money(toMoney(values.amount, values.currency))
    const count = values.names.length
    return {
      subject: m.licences_mail_debt_suspended_subject({ amount, count }, { locale }),
      own: values.names,
      paragraphs: [
        m.licences_mail_debt_suspended_text({ amount, names: namesIn(values.names, context) }, { locale }),
        m.licences_mail_debt_lifts({}, { locale }),
      ],
      action: toBalance(context),
      closing: [m.licences_mail_debt_wrong({}, { locale })],
    }
  },
)

export const debtSettled = mailTemplate<{ names: readonly string[] }>(
  'debt_settled',
  'money',
  [one, two],
  ({ names }, context) => {
    const { locale, link } = context
    return {
      subject: m.licences_mail_debt_settled_subject({ count: names.length }, { locale }),
      own: names,
      paragraphs: [m.licences_mail_debt_settled_text({ names: namesIn(names, context) }, { locale })],
      action: { label: m.hosts_to_list({}, { locale }), url: link(paths.hosts()) },
    }
  },
)

const MOST_NAMES = 20

function namesIn(all: readonly string[], { locale }: MailContext): string {
  const names = all.slice(0, MOST_NAMES).join(', ')
  const count = all.length - MOST_NAMES
  return count > 0 ? m.licences_mail_debt_more({ names, count }, { locale }) : names
}

const toBalance = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_top_up({}, { locale }),
  url: link(paths.finances()),
})
