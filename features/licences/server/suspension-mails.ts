import { paths } from '#features/paths.ts'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate, type MailContext } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

/** `host_id` is the public id; `balance` is in minor units; `message` is the operator's message, or empty. */
type Suspended = {
  host: string
  host_id: string
  at: Date
  reason: SuspensionReason
  message: string
  balance: bigint
  currency: string
}

/** The mail names the reason for the suspension and its remedy: a payment if the customer owes money, otherwise a message to support. */
export const hostSuspended = mailTemplate<Suspended>('host_suspended', 'money', (values, context) => {
  const { locale, time } = context
  const said = { host: values.host, at: time(values.at) }
  const owes = values.reason !== 'abuse' && values.reason !== 'other' && values.balance < 0n
  const amount = context.money(toMoney(values.balance < 0n ? -values.balance : 0n, values.currency))
  return {
    subject: m.licences_mail_suspended_subject(said, { locale }),
    own: [values.host, values.message],
    paragraphs: [
      m.licences_mail_suspended_text(said, { locale }),
      REASONS[values.reason]({}, { locale }),
      ...(values.message ? [m.licences_mail_suspended_message({ message: values.message }, { locale })] : []),
      owes
        ? m.licences_mail_suspended_pay({ amount }, { locale })
        : m.licences_mail_suspended_write({}, { locale }),
    ],
    action: owes ? toBalance(context) : toTickets(context),
    closing: [m.licences_mail_suspended_closing({}, { locale })],
  }
})

export const hostResumed = mailTemplate<{ host: string; host_id: string; at: Date }>(
  'host_resumed',
  'money',
  ({ host, host_id, at }, { locale, time, link }) => {
    const said = { host, at: time(at) }
    return {
      subject: m.licences_mail_resumed_subject(said, { locale }),
      own: [host],
      paragraphs: [m.licences_mail_resumed_text(said, { locale })],
      action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
    }
  },
)

const REASONS = {
  charge_back: m.licences_suspended_charge_back,
  debt: m.licences_suspended_debt,
  abuse: m.licences_suspended_abuse,
  other: m.licences_suspended_other,
} as const

const toBalance = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_top_up({}, { locale }),
  url: link(paths.finances()),
})

const toTickets = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_suspended_tickets({}, { locale }),
  url: link(paths.tickets()),
})
