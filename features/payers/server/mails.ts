import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailLocale, MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { displayNames, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import type { Side } from '#features/payers/rules.ts'
import { agreementAccepted, agreementEnded, agreementOffered } from './mail-templates.ts'
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
  const to = payer?.email ?? must(row.email)
  const account = await findAccountByProvenEmail(tx, to)
  const user = account && (await findUser(tx, account.user_id))
  const names = await displayNames(app, tx, [from])
  const values = {
    email: to,
    name: names.of(from).name,
    kind: isAdded ? ('added' as const) : asked_by,
    limit: month_limit === null ? null : toMoney(month_limit, app.config.currency),
    expires_at: isAdded ? null : expires_at,
  }
  await enqueueMail(app, tx, {
    user_id: null,
    to,
    locale: user?.locale ?? locale,
    template: agreementOffered,
    values,
  })
}

/** Tells the side that asked that the other side has accepted. */
export async function mailAccepted(app: App, tx: Tx, row: AgreementRow, by: Side): Promise<void> {
  const [who, to] = by === 'payer' ? [row.payer_id, row.owner_id] : [row.owner_id, row.payer_id]
  const names = await displayNames(app, tx, [who])
  const values = { name: names.of(must(who)).name, by }
  await mail(app, tx, must(to), agreementAccepted, values)
}

// The most servers that a mail names. Nobody would read a longer mail; the pages list all servers.
const MOST_NAMED = 20

type Ended = { hosts: readonly HostRow[]; keeps: boolean; only?: string | undefined }

/** Tells both sides, or only the account `only`, that the agreement has ended, with the servers and how long they are paid. */
export async function mailEnded(
  app: App,
  tx: Tx,
  row: AgreementRow,
  { hosts, keeps, only }: Ended,
): Promise<void> {
  const [owner_id, payer_id] = [must(row.owner_id), must(row.payer_id)]
  const names = await displayNames(app, tx, [owner_id, payer_id])
  const servers = hosts.slice(0, MOST_NAMED).map(({ name, paid_until }) => ({ name, paid_until }))
  const values = { owner: names.of(owner_id).name, payer: names.of(payer_id).name, servers, keeps }
  for (const to of [owner_id, payer_id])
    if (only === undefined || only === to)
      await mail(app, tx, to, agreementEnded, { ...values, is_owner: to === owner_id })
}

async function mail<Values>(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<Values>,
  values: Values,
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (user?.is_active)
    await enqueueMail(app, tx, { user_id, to: user.email, locale: user.locale, template, values })
}
