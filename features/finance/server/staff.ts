import type { Act } from '#texts/acts.js'
import { must } from '#foundation/must.ts'
import type { LinkKind } from '#foundation/approvals.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { By, PreviewLine } from '#foundation/server/approvals/requested-act.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { softLinksWith } from '#features/profile/server/profile.ts'
import * as contract from '#features/finance/contract.ts'
import { assertCustomer } from './assert-other.ts'
import { balanceOf } from './balance.ts'
import { payableOf } from './payable.ts'
import { findTransaction, pageOfTransactions } from './transactions.ts'

/** Answers `GET /api/staff/customers/{userId}/transactions/`. */
export const customerTransactions = handler(contract.customerTransactions, async ({ app, params, query }) => {
  await assertCustomer(app.db, params.userId)
  const page = await pageOfTransactions(app, params.userId, query)
  const { currency } = app.config
  const { balance, gift, held, payable } = await payableOf(app.db, { user_id: params.userId, currency })
  const money = (amount: bigint) => toMoney(amount, currency)
  return {
    status: 200,
    body: { ...page, balance: money(balance), gift: money(gift), held: money(held), payable: money(payable) },
  }
})

export type Done = {
  /** The people behind the action, and the origin of their request; the command line has no origin. */
  by: Omit<By, 'origin'> & Partial<Pick<By, 'origin'>>
  user_id: string
  transaction_id: string
  act: Act
  reason: string
  /** The status that a top-up had before, if its money came late. */
  was?: string
}

/**
 * Writes an action of staff to the audit, with the people behind it, its reason and its transaction. Returns the transaction that the
 * action booked.
 */
export async function recordBooked(
  tx: Tx,
  { by, user_id, transaction_id, act, reason, was }: Done,
): Promise<contract.Transaction> {
  const { origin, ...people } = by
  const detail = { ...people, transaction_id, reason, ...(was === undefined ? {} : { was }) }
  await recordAction(tx, { user_id, act, ...origin, detail })
  return must(await findTransaction(tx, user_id, transaction_id))
}

/**
 * Throws as `assertOther` does. Returns the facts that actor and customer share and that only suggest that they are one person: if there
 * is one, a second member confirms any amount (decision 065).
 */
export async function linksWith(app: App, tx: Tx, actor: Actor, user_id: string): Promise<LinkKind[]> {
  await assertCustomer(tx, user_id)
  return softLinksWith(app, tx, actor.user_id, user_id)
}

/** Returns the line of a preview that shows the balance before and after a change by `amount` (minor units). */
export async function balancePreview(app: App, user_id: string, amount: bigint): Promise<PreviewLine> {
  const before = await balanceOf(app, app.db, user_id)
  return { code: 'balance', params: { before: before.toString(), after: (before + amount).toString() } }
}
