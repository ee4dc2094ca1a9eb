import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, mailToAddress } from '#features/profile/server/profile.ts'
import type { Side } from '#features/payers/rules.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import type { AgreementRow } from './queries.ts'

/**
 * Mails an offer to the address that is asked, or tells the payer of added servers. `locale`, the language of the person who asks,
 * is used if nobody has proven the address.
 */
export async function mailOffer(app: App, tx: Tx, row: AgreementRow, locale: MailLocale): Promise<void> {
  const { asked_by, expires_at, month_limit, state } = row
  const isAdded = state === 'active'
  const from = must(isAdded || asked_by === 'owner' ? row.owner_id : row.payer_id)
  const payer = isAdded ? await findUser(tx, must(row.payer_id)) : undefined
  const email = payer?.email ?? must(row.email)
  const names = await displayNames(app, tx, [from])
  const values = {
    email,
    name: names.of(from).name,
    kind: isAdded ? ('added' as const) : asked_by,
    limit: month_limit === null ? null : toMoney(month_limit, app.config.currency),
    expires_at: isAdded ? null : expires_at,
  }
  await mailToAddress(app, tx, { email, locale }, agreementOffered, values)
}

/** Tells the side that asked that the other side has accepted. */
export async function mailAccepted(app: App, tx: Tx, row: AgreementRow, by: Side): Promise<void> {
  const [who, to] = by === 'payer' ? [row.payer_id, row.owner_id] : [row.owner_id, row.payer_id]
  const names = await displayNames(app, tx, [who])
  const values = { name: names.of(must(who)).name, by }
  await mailTo(app, tx, must(to), agreementAccepted, values)
}

/** Tells the side that asked that its offer was declined, or that nobody has answered it in time. */
export async function mailOver(app: App, tx: Tx, row: AgreementRow, how: How): Promise<void> {
  const { asked_by, owner_id, payer_id, email } = row
  const to = must(asked_by === 'owner' ? owner_id : payer_id)
  await mailTo(app, tx, to, agreementOver, { email: must(email), how })
}

/** Tells an owner that the payer doesn't pay for the servers that the owner has added. */
export async function mailServersDeclined(app: App, tx: Tx, row: AgreementRow): Promise<void> {
  const names = await displayNames(app, tx, [row.payer_id])
  await mailTo(app, tx, must(row.owner_id), serversDeclined, { name: names.of(must(row.payer_id)).name })
}

type How = 'declined' | 'expired'

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

const offered = (kind: Offered['kind']) => ({ ...EXAMPLE, kind, limit: null, expires_at: EXAMPLE.until })

/** The link of this mail has no key: the page shows the offer to a person who has confirmed the address. */
const agreementOffered = mailTemplate<Offered>(
  'agreement_offered',
  'money',
  [offered('payer'), offered('owner'), offered('added')],
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

const byPayer = { name: EXAMPLE.other, by: 'payer' } as const

const agreementAccepted = mailTemplate<{ name: string; by: 'owner' | 'payer' }>(
  'agreement_accepted',
  'money',
  [byPayer, { ...byPayer, by: 'owner' }],
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

const agreementOver = mailTemplate<{ email: string; how: How }>(
  'agreement_over',
  'money',
  [
    { email: EXAMPLE.email, how: 'declined' },
    { email: EXAMPLE.email, how: 'expired' },
  ],
  ({ email, how }, { locale, link }) => ({
    subject: m.payers_mail_over_subject({ email }, { locale }),
    paragraphs: [
      how === 'declined'
        ? m.payers_mail_declined({ email }, { locale })
        : m.payers_mail_expired({ email }, { locale }),
    ],
    action: { label: m.payers_mail_open({}, { locale }), url: link(paths.paidFor()) },
  }),
)

const serversDeclined = mailTemplate<{ name: string }>(
  'agreement_servers_declined',
  'money',
  [{ name: EXAMPLE.other }],
  ({ name }, { locale, link }) => ({
    subject: m.payers_mail_servers_declined_subject({ name }, { locale }),
    paragraphs: [m.payers_mail_servers_declined({ name }, { locale })],
    action: { label: m.payers_mail_open({}, { locale }), url: link(paths.paidFor()) },
  }),
)
