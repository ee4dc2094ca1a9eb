import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { UserRow } from '#foundation/server/session/session.ts'
import { addressesOf } from '#features/profile/server/profile.ts'

/** Mails all proven addresses of an account: a thief may have made theirs the primary one. */
export async function mailToAll<Values>(
  app: App,
  tx: Tx,
  { id: user_id, locale }: Pick<UserRow, 'id' | 'locale'>,
  template: MailTemplate<Values>,
  values: Values,
): Promise<void> {
  for (const { email: to, verified } of await addressesOf(tx, user_id))
    if (verified) await enqueueMail(app, tx, { user_id, to, locale, template, values })
}
