import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate, type Examples, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import { suspensionTexts } from '#features/licences/texts.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/** Queues the mail to the owner of a host that was suspended a moment ago, or may run again. */
export async function mailSuspension(app: App, tx: Tx, host: HostRow): Promise<void> {
  const { user_id } = host
  const named = { host: host.name, host_id: host.public_id }
  if (!host.suspended) {
    await mailTo(app, tx, user_id, hostResumed, { ...named, at: host.now })
    return
  }
  const { since, reason, text } = host.suspended
  await mailTo(app, tx, user_id, hostSuspended, {
    ...named,
    at: new Date(since),
    reason,
    message: text,
    balance: await balanceOf(app, tx, user_id),
    currency: app.config.currency,
  })
}

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

const host = { host: 'web-1', host_id: 'web-1' }
const suspended = { ...host, at: EXAMPLE.at, message: 'Please write to us.', currency: 'EUR' }
const suspensions: Examples<Suspended> = [
  { ...suspended, reason: 'charge_back', balance: -24_00n },
  { ...suspended, reason: 'abuse', balance: 0n },
]

/** The mail names the reason for the suspension and its remedy: a payment if the customer owes money, otherwise a message to support. */
const hostSuspended = mailTemplate<Suspended>('host_suspended', 'money', suspensions, (values, context) => {
  const { locale, time } = context
  const said = { host: values.host, at: time(values.at) }
  const owes = values.reason !== 'abuse' && values.reason !== 'other' && values.balance < 0n
  const amount = context.money(toMoney(values.balance < 0n ? -values.balance : 0n, values.currency))
  return {
    subject: m.licences_mail_suspended_subject(said, { locale }),
    own: [values.host, values.message],
    paragraphs: [
      m.licences_mail_suspended_text(said, { locale }),
      suspensionTexts[values.reason]({}, { locale }),
      ...(values.message ? [m.licences_mail_suspended_message({ message: values.message }, { locale })] : []),
      owes
        ? m.licences_mail_suspended_pay({ amount }, { locale })
        : m.licences_mail_suspended_write({}, { locale }),
    ],
    action: owes ? toBalance(context) : toTickets(context),
    closing: [m.licences_mail_suspended_closing({}, { locale })],
  }
})

const hostResumed = mailTemplate<{ host: string; host_id: string; at: Date }>(
  'host_resumed',
  'money',
  [{ ...host, at: EXAMPLE.at }],
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

const toBalance = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_top_up({}, { locale }),
  url: link(paths.finances()),
})

const toTickets = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_suspended_tickets({}, { locale }),
  url: link(paths.tickets()),
})

/** `host_id` is the public id; `hostname` is '' if the machine has not reported it. */
type TooMany = { host: string; host_id: string; hostname: string; address: string; limit: number }

const machine = { ...host, hostname: 'web', address: EXAMPLE.ip }

export const tooManyMachines = mailTemplate<TooMany>(
  'too_many_machines',
  'money',
  [
    { ...machine, limit: 1 },
    { ...machine, limit: 2 },
  ],
  ({ host, host_id, hostname, address, limit }, { locale, link }) => {
    const machine = hostname === '' ? address : `${hostname} (${address})`
    return {
      subject: m.licences_mail_machines_subject({ host }, { locale }),
      // The name of the machine is chosen by the person who runs it, who may have copied the software.
      own: [host, address],
      paragraphs: [
        m.licences_mail_machines_text({ host, machine }, { locale }),
        m.licences_mail_machines_limit({ count: limit }, { locale }),
      ],
      action: { label: m.licences_mail_machines_open({}, { locale }), url: link(paths.host(host_id)) },
    }
  },
)
