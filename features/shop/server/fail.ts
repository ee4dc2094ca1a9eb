import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { purchaseFailed } from './mails.ts'
import { failPurchase } from './purchase-queries.ts'

/**
 * Notes that the payment of a purchase has failed. A decline at once is told by the page that waits for it. A direct debit that the bank refuses
 * days later is told by mail, once, as nobody looks at that page any more; the mail names nothing of what was typed beside the plan, since
 * nobody has proven that its address is the buyer's.
 */
export async function fail(
  app: App,
  tx: Tx,
  { public_id, wasTried }: { public_id: string; wasTried: boolean },
): Promise<void> {
  const failed = await failPurchase(tx, public_id)
  if (!failed?.is_left || !wasTried) return
  const { email, locale, wish, amount, currency } = failed
  const values = { email, slug: wish.plan, plan: wish.plan_name, amount: toMoney(amount, currency) }
  await enqueueMail(app, tx, { user_id: null, to: email, locale, template: purchaseFailed, values })
}
