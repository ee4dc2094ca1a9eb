import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import type { PayoutState } from '#features/payouts/rules.ts'
import type { Payout } from '#features/payouts/contract.ts'
import { keepAccount, type TypedAccount } from './accounts.ts'
import { payToAccount, payToSource } from './create.ts'
import { bringBack, ended, sendPayout } from './end.ts'
import { fileOfWaiting, sepaContent } from './files.ts'
import { payoutsInOrder, type PayoutRow } from './queries.ts'
import { mostOf, refundable } from './refund-top-up.ts'
import { emailOf, toPayoutReply } from './replies.ts'
import { assertReturnable, locked } from './staff-acts.ts'

/** The acts of staff on payouts for the command line, which knows no member of staff and asks no second person. */

const BY = 'command line'

type ToBank = { user_id: string; amount: bigint; account: TypedAccount; reason: string }

/** Pays money of a balance out to a bank account. Throws as `keepAccount` and `payToAccount` do. */
export async function payoutForOperator(app: App, tx: Tx, { account, ...wanted }: ToBank): Promise<Payout> {
  const account_id = await keepAccount(app, tx, wanted.user_id, account)
  const row = await payToAccount(app, tx, { ...wanted, account_id, requested_by: null })
  return recorded(tx, row, 'payouts.requested', wanted.reason)
}

/** `id` is the transaction of the payment. */
type ToSource = { user_id: string; id: string; amount: bigint | undefined; reason: string }

/** Gives a payment back to its source; without an amount all of it that may leave. Throws 404 and 409. */
export async function refundTopUpForOperator(
  app: App,
  tx: Tx,
  { user_id, id, amount, reason }: ToSource,
): Promise<Payout> {
  const topUp = await refundable(app, tx, user_id, id)
  const most = await mostOf(app, tx, topUp)
  if (most <= 0n) throw new HttpError(409, [{ code: 'nothing_to_pay_out' }])
  const row = await payToSource(app, tx, {
    user_id,
    amount: amount ?? most,
    topUp,
    requested_by: null,
    reason,
  })
  return recorded(tx, row, 'payouts.requested', reason)
}

/** Records that a payout was sent. Throws 404 and 409 `payout_ended`. */
export async function sentForOperator(app: App, tx: Tx, reference: string): Promise<Payout> {
  const row = await named(tx, reference)
  if (row.way !== 'bank' || row.state !== 'requested') throw ended()
  return recorded(tx, await sendPayout(app, tx, row), 'payouts.sent', '')
}

/** Records that a payout failed or came back. Throws 404 and 409 `payout_ended`. */
export async function returnForOperator(
  app: App,
  tx: Tx,
  { reference, reason }: { reference: string; reason: string },
): Promise<Payout> {
  const row = await named(tx, reference)
  assertReturnable(row)
  return recorded(tx, await bringBack(app, tx, row, reason), 'payouts.returned', reason)
}

/** Puts the payouts that wait into a file and returns its id. Throws 409 `no_payouts_wait`. */
export async function makeFileForOperator(app: App, tx: Tx): Promise<{ id: string; payouts: number }> {
  const { id, payouts, total } = await fileOfWaiting(app, tx, null)
  const detail = { by: BY, file: id, amount: total.toString() }
  await recordAction(tx, { user_id: null, act: 'payouts.file_made', detail })
  return { id, payouts }
}

export { sepaContent }

/** Returns the newest 100 payouts in a state, each with the address of its customer. */
export async function payoutsIn(app: App, state: PayoutState): Promise<(Payout & { customer: string })[]> {
  const rows = await payoutsInOrder(app.db, { state }, { limit: 100 })
  return Promise.all(
    rows.map(async (row) => ({
      ...toPayoutReply(row),
      customer: (await emailOf(app, app.db, row)) ?? row.user_id,
    })),
  )
}

async function named(tx: Tx, reference: string): Promise<PayoutRow> {
  const [row] = await payoutsInOrder(tx, { reference: reference.toUpperCase() }, { limit: 1 })
  if (!row) throw notFound()
  return locked(tx, row.public_id)
}

async function recorded(
  tx: Tx,
  row: PayoutRow,
  act: 'payouts.requested' | 'payouts.sent' | 'payouts.returned',
  reason: string,
): Promise<Payout> {
  const { user_id, reference, amount } = row
  const detail = { by: BY, reference, amount: amount.toString(), ...(reason === '' ? {} : { reason }) }
  await recordAction(tx, { user_id, act, detail })
  return toPayoutReply(row)
}
