import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail, mailTo } from '#foundation/server/mail/outbox.ts'
import { leftAddressOf } from './accounts.ts'
import { valuesOf, type Values } from './mails.ts'
import type { PayoutRow } from './queries.ts'

/**
 * Queues a mail about a payout to its customer. The mail of a deleted account goes to the address that the account had, in its language: the
 * address is kept for this alone, beside the bank account.
 */
export async function mailAbout(
  app: App,
  tx: Tx,
  row: PayoutRow,
  template: MailTemplate<Values>,
  balance_after?: bigint,
): Promise<void> {
  const values = valuesOf(row)
  const address = leftAddressOf(app, row)
  if (address) {
    const gone = { ...values, is_gone: true }
    return void (await enqueueMail(app, tx, { user_id: null, ...address, template, values: gone }))
  }
  const balance = balance_after === undefined ? {} : { balance: toMoney(balance_after, row.currency) }
  await mailTo(app, tx, row.user_id, template, { ...values, ...balance })
}
