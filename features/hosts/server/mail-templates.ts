import { paths } from '#features/paths.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Offered = { email: string; owner: string; host: string; expires_at: Date }

/** The link of this mail has no key: the page shows the offer to a person who has confirmed the address. */
export const transferOffered = mailTemplate<Offered>(
  'transfer_offered',
  'security',
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

export const transferDone = mailTemplate<Done>(
  'transfer_done',
  'security',
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

export type Over = {
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

export const transferOver = mailTemplate<Over>(
  'transfer_over',
  'security',
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
