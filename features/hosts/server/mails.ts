import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, mailToAddress } from '#features/profile/server/profile.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import type { HostRow } from './queries.ts'
import type { TransferRow } from './transfer-queries.ts'

/** Mails the offer to the address, in the language of the account that has proven it, or else in the language of the owner. */
export async function mailOffered(
  app: App,
  tx: Tx,
  row: TransferRow,
  host: HostRow,
  locale: MailLocale,
): Promise<void> {
  const email = must(row.email)
  const owner = (await displayNames(app, tx, [row.user_id])).of(row.user_id).name
  const values = { email, owner, host: host.name, expires_at: row.expires_at }
  await mailToAddress(app, tx, { email, locale }, transferOffered, values)
}

/** Mails the former and the new owner about the transfer of a host. */
export async function mailDone(app: App, tx: Tx, given: HostRow, to: string): Promise<void> {
  const names = await displayNames(app, tx, [given.user_id, to])
  const { name, public_id } = given
  for (const [person, other] of [
    [given.user_id, to],
    [to, given.user_id],
  ] as const) {
    const is_receiver = person === to
    const values = { name: names.of(other).name, host: name, host_id: public_id, is_receiver }
    await mailTo(app, tx, person, transferDone, values)
  }
}

/** Mails the end of an offer: a withdrawal to the address, every other end to the person who offered the host. */
export async function mailOver(
  app: App,
  tx: Tx,
  row: Pick<TransferRow, 'user_id' | 'email'>,
  { host, how }: Pick<Over, 'host' | 'how'>,
): Promise<void> {
  const email = must(row.email)
  const names = await displayNames(app, tx, [row.user_id])
  const values = { host, how, email, owner: names.of(row.user_id).name }
  if (how === 'withdrawn') {
    const locale = (await findUser(tx, row.user_id))?.locale ?? 'en'
    await mailToAddress(app, tx, { email, locale }, transferOver, values)
  } else await mailTo(app, tx, row.user_id, transferOver, values)
}

type Offered = { email: string; owner: string; host: string; expires_at: Date }

const host = { owner: EXAMPLE.name, host: 'web-1', host_id: 'web-1' }
const example = { ...EXAMPLE, ...host, is_receiver: false, at_once: false }

/** The link of this mail has no key: the page shows the offer to a person who has confirmed the address. */
const transferOffered = mailTemplate<Offered>(
  'transfer_offered',
  'security',
  [{ ...example, expires_at: EXAMPLE.until }],
  ({ email, owner, host, expires_at }, { locale, operator, time, link }) => ({
    subject: m.hosts_mail_offered_subject({ operator: operator.name }, { locale }),
    stranger: true,
    paragraphs: [
      m.hosts_mail_offered({ name: owner, host, operator: operator.name }, { locale }),
      m.hosts_mail_offered_how({ email }, { locale }),
    ],
    action: { label: m.hosts_mail_offered_see({}, { locale }), url: link(paths.people()) },
    facts: [[m.hosts_mail_until({}, { locale }), time(expires_at)]],
    closing: [m.hosts_mail_ignore({}, { locale })],
  }),
)

/** `name` is the name of the other account. */
type Done = { name: string; host: string; host_id: string; is_receiver: boolean }

const transferDone = mailTemplate<Done>(
  'transfer_done',
  'security',
  [example, { ...example, is_receiver: true }],
  ({ name, host, host_id, is_receiver }, { locale, link }) => ({
    own: is_receiver ? [] : [host],
    subject: is_receiver
      ? m.hosts_mail_received_subject({ host }, { locale })
      : m.hosts_mail_given_subject({ host }, { locale }),
    paragraphs: is_receiver
      ? [
          m.hosts_mail_received({ name, host }, { locale }),
          m.hosts_mail_received_next({}, { locale }),
          m.hosts_mail_received_key({}, { locale }),
        ]
      : [m.hosts_mail_given({ name, host }, { locale }), m.hosts_mail_given_kept({}, { locale })],
    action: is_receiver
      ? { label: m.hosts_mail_open({}, { locale }), url: link(paths.host(host_id)) }
      : { label: m.hosts_mail_servers({}, { locale }), url: link(paths.hosts()) },
  }),
)

type KeyRenewed = { name: string; host: string; host_id: string; at_once: boolean }

/** Tells the owner that a helper has renewed a key: software that asks with the old one stops, or will. A helper may have named the host as well. */
export const keyRenewed = mailTemplate<KeyRenewed>(
  'licence_key_renewed',
  'security',
  [example, { ...example, at_once: true }],
  ({ name, host, host_id, at_once }, { locale, link }) => ({
    subject: m.hosts_mail_key_subject({ host }, { locale }),
    paragraphs: [
      at_once
        ? m.hosts_mail_key_now({ name, host }, { locale })
        : m.hosts_mail_key_later({ name, host }, { locale }),
    ],
    action: { label: m.hosts_mail_open({}, { locale }), url: link(paths.host(host_id)) },
    closing: [m.hosts_mail_key_unwanted({}, { locale })],
  }),
)

type Over = {
  host: string
  email: string
  owner: string
  /** The end of the offer: a withdrawal is mailed to the address, every other end to the person who offered the host. */
  how: 'withdrawn' | 'declined' | 'expired' | 'ended'
}

const overText = {
  declined: m.hosts_mail_declined,
  expired: m.hosts_mail_expired,
  ended: m.hosts_mail_ended,
} as const

const over = (how: Over['how']) => ({ ...example, how })

const transferOver = mailTemplate<Over>(
  'transfer_over',
  'security',
  [over('withdrawn'), over('declined'), over('expired'), over('ended')],
  ({ host, email, owner, how }, { locale, operator, link }) =>
    how === 'withdrawn'
      ? {
          subject: m.hosts_mail_withdrawn_subject({ operator: operator.name }, { locale }),
          stranger: true,
          paragraphs: [m.hosts_mail_withdrawn({ name: owner, host }, { locale })],
        }
      : {
          subject: m.hosts_mail_over_subject({ host }, { locale }),
          own: [host],
          paragraphs: [overText[how]({ host, email }, { locale }), m.hosts_mail_kept({}, { locale })],
          action: { label: m.hosts_mail_servers({}, { locale }), url: link(paths.hosts()) },
        },
)
