import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { displayNames, mailToAddress } from '#features/profile/server/profile.ts'
import type { Side } from '#features/payers/rules.ts'
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

// The most servers that a mail names. Nobody would read a longer mail; the pages list all servers.
const MOST_NAMED = 20

type Ending = { hosts: readonly HostRow[]; keeps: boolean; only?: string | undefined }

/** Tells both sides, or only the account `only`, that the agreement has ended, with the servers and how long they are paid. */
export async function mailEnded(
  app: App,
  tx: Tx,
  row: AgreementRow,
  { hosts, keeps, only }: Ending,
): Promise<void> {
  const [owner_id, payer_id] = [must(row.owner_id), must(row.payer_id)]
  const names = await displayNames(app, tx, [owner_id, payer_id])
  const servers = hosts.slice(0, MOST_NAMED).map(({ name, paid_until }) => ({ name, paid_until }))
  const values = { owner: names.of(owner_id).name, payer: names.of(payer_id).name, servers, keeps }
  for (const to of [owner_id, payer_id])
    if (only === undefined || only === to)
      await mailTo(app, tx, to, agreementEnded, { ...values, is_owner: to === owner_id })
}

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
const agreementOffered = mailTemplate<Offered>(
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

const agreementAccepted = mailTemplate<{ name: string; by: 'owner' | 'payer' }>(
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

const agreementEnded = mailTemplate<Ended>(
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
