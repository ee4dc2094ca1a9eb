import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailLocale } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { transferDone, transferOffered, transferOver, type Over } from './mail-templates.ts'
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
  const to = must(row.email)
  const names = await displayNames(app, tx, [row.user_id])
  const values = {
    email: to,
    owner: names.of(row.user_id).name,
    host: host.name,
    expires_at: row.expires_at,
  }
  await enqueueMail(app, tx, {
    user_id: null,
    to,
    locale: (await localeOf(tx, to)) ?? locale,
    template: transferOffered,
    values,
  })
}

async function localeOf(tx: Tx, email: string): Promise<MailLocale | undefined> {
  const account = await findAccountByProvenEmail(tx, email)
  return account && (await findUser(tx, account.user_id))?.locale
}

/** Mails the former and the new owner about the transfer of a host. */
export async function mailDone(app: App, tx: Tx, given: HostRow, to: string): Promise<void> {
  const names = await displayNames(app, tx, [given.user_id, to])
  const { name, public_id } = given
  for (const [person, other] of [
    [given.user_id, to],
    [to, given.user_id],
  ] as const) {
    const user = await findUser(tx, person)
    if (!user?.is_active) continue
    const is_receiver = person === to
    const values = { name: names.of(other).name, host: name, host_id: public_id, is_receiver }
    await enqueueMail(app, tx, {
      user_id: person,
      to: user.email,
      locale: user.locale,
      template: transferDone,
      values,
    })
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
  const owner = await findUser(tx, row.user_id)
  const names = await displayNames(app, tx, [row.user_id])
  const values = { host, how, email, owner: names.of(row.user_id).name }
  if (how === 'withdrawn') {
    const locale = (await localeOf(tx, email)) ?? owner?.locale ?? 'en'
    await enqueueMail(app, tx, { user_id: null, to: email, locale, template: transferOver, values })
  } else if (owner?.is_active) {
    const { id: user_id, email: to, locale } = owner
    await enqueueMail(app, tx, { user_id, to, locale, template: transferOver, values })
  }
}
