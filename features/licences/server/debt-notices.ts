import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'

/** Queues a mail to the customer about their debt. A closed account gets none. */
export async function mailDebtor<Values extends object>(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<Values & { currency: string }>,
  values: Values,
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (!user?.is_active) return
  const { email: to, locale } = user
  await enqueueMail(app, tx, {
    user_id,
    to,
    locale,
    template,
    values: { ...values, currency: app.config.currency },
  })
}

/** Returns the message for the pages of the suspended servers, in the customer's language. */
export async function messageOnServers(tx: Tx, user_id: string): Promise<string> {
  const user = await findUser(tx, user_id)
  return m.licences_debt_message({}, { locale: user?.locale ?? 'en' })
}
