import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { toMoney } from '#foundation/money.ts'
import type { MoneyMail } from './mail-templates.ts'

/**
 * Queues a mail to the customer about money that moved; amounts in minor units. A closed account gets no
 * mail.
 */
export async function notifyCustomer(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<MoneyMail>,
  { amount, balance }: { amount: bigint; balance: bigint },
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (!user?.is_active) return
  const { currency } = app.config
  const values = { amount: toMoney(amount, currency), balance: toMoney(balance, currency) }
  await enqueueMail(app, tx, { user_id, to: user.email, locale: user.locale, template, values })
}
