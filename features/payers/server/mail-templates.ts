import { paths } from '#features/paths.ts'
import type { Money } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Offered = {
  email: string
  name: string
  /** `owner`: the owner asks; `payer`: the payer offers; `added`: the owner added servers to an active agreement. */
  kind: 'owner' | 'payer' | 'added'
  limit: Money | null
  expires_at: Date | null
}

const offeredSubject = {
  owner: m.payers_mail_asked_subject,
  payer: m.payers_mail_offered_subject,
  added: m.payers_mail_added_subject,
} as const

const offeredText = {
  owner: m.payers_mail_asked,
  payer: m.payers_mail_offered,
  added: m.payers_mail_added,
} as const

/** The link of this mail has no key: the page shows the offer to a person who has confirmed the address. */
export const agreementOffered = mailTemplate<Offered>(
  'agreement_offered',
  'money',
  ({ email, name, kind, limit, expires_at }, { locale, operator, time, link, money }) => ({
    subject: offeredSubject[kind]({ operator: operator.name }, { locale }),
    stranger: true,
    paragraphs: [
      offeredText[kind]({ name, operator: operator.name }, { locale }),
      ...(kind === 'added' ? [] : [m.payers_mail_how({ email }, { locale })]),
    ],
    action: { label: m.payers_mail_see({}, { locale }), url: link(paths.paidFor()) },
    facts: [
      ...(limit ? [[m.payers_mail_limit({}, { locale }), money(limit)] as const] : []),
      ...(expires_at ? [[m.payers_mail_until({}, { locale }), time(expires_at)] as const] : []),
    ],
    closing: [m.payers_mail_ignore({}, { locale })],
  }),
)

export const agreementAccepted = mailTemplate<{ name: string; by: 'owner' | 'payer' }>(
  'agreement_accepted',
  'money',
  ({ name, by }, { locale, link }) => ({
    subject:
      by === 'payer'
        ? m.payers_mail_payer_accepted_subject({ name }, { locale })
        : m.payers_mail_owner_accepted_subject({ name }, { locale }),
    paragraphs: [
      by === 'payer'
        ? m.payers_mail_payer_accepted({ name }, { locale })
        : m.payers_mail_owner_accepted({ name }, { locale }),
    ],
    action: { label: m.payers_mail_open({}, { locale }), url: link(paths.paidFor()) },
  }),
)

type Ended = {
  owner: string
  payer: string
  is_owner: boolean
  /** True if the renewals go on, from the owner's balance. */
  keeps: boolean
  servers: readonly { name: string; paid_until: Date | null }[]
}

export const agreementEnded = mailTemplate<Ended>(
  'agreement_ended',
  'money',
  ({ owner, payer, is_owner, keeps, servers }, { locale, link, time }) => ({
    subject: is_owner
      ? m.payers_mail_ended_owner_subject({ name: payer }, { locale })
      : m.payers_mail_ended_payer_subject({ name: owner }, { locale }),
    paragraphs: [
      is_owner
        ? m.payers_mail_ended_owner({ name: payer }, { locale })
        : m.payers_mail_ended_payer({ name: owner }, { locale }),
      ...(is_owner ? [keeps ? m.payers_mail_keeps({}, { locale }) : m.payers_mail_off({}, { locale })] : []),
    ],
    own: is_owner ? servers.map(({ name }) => name) : [],
    facts: servers.map(
      ({ name, paid_until }) =>
        [
          name,
          paid_until
            ? m.payers_mail_paid_until({ date: time(paid_until) }, { locale })
            : m.payers_mail_free({}, { locale }),
        ] as const,
    ),
    action: { label: m.payers_mail_open({}, { locale }), url: link(paths.paidFor()) },
  }),
)
