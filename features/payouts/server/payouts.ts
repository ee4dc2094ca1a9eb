import { toMoney } from '#foundation/money.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { lockBalanceOf, payableOf } from '#features/finance/server/finance.ts'
import * as contract from '#features/payouts/contract.ts'
import { keepAccount, type TypedAccount } from './accounts.ts'
import { assertFewUnderWay, payToAccount } from './create.ts'
import { payoutsOf, type PayoutRow } from './queries.ts'
import { toPayoutReply } from './replies.ts'

export {
  makeFileForOperator,
  payoutForOperator,
  payoutsIn,
  refundTopUpForOperator,
  returnForOperator,
  sentForOperator,
  sepaContent,
} from './operator.ts'

export { countRequested, countUnderWay } from './queries.ts'

/** Answers `GET /api/finances/payouts/`. */
export const list = handler(contract.listPayouts, async ({ app, actor, query }) => {
  const { limit, cursor } = query
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const { user_id } = actor
  const { currency } = app.config
  const [rows, { payable }] = await Promise.all([
    payoutsOf(app.db, user_id, { before, limit: limit + 1 }),
    payableOf(app.db, { user_id, currency }),
  ])
  const page = pageFrom(rows, limit, ({ id }) => [String(id)], toPayoutReply)
  return { status: 200, body: { ...page, payable: toMoney(payable, currency) } }
})

/**
 * Makes the payout that a customer asks for. Throws 400 for an account that is none, 409 `more_than_payable` and `too_many_payouts`. The
 * amount in minor units.
 */
export async function askForPayout(
  app: App,
  tx: Tx,
  user_id: string,
  { amount, ...account }: TypedAccount & { amount: bigint },
): Promise<PayoutRow> {
  const account_id = await keepAccount(app, tx, user_id, account)
  await lockBalanceOf(app, tx, user_id)
  await assertFewUnderWay(tx, user_id)
  const { payable } = await payableOf(tx, { user_id, currency: app.config.currency })
  if (amount > payable) throw new HttpError(409, [{ code: 'more_than_payable', param: 'amount' }])
  return payToAccount(app, tx, { user_id, amount, account_id, requested_by: null, reason: '' })
}

/** Answers `POST /api/finances/payouts/`. */
export const request = handler(contract.requestPayout, (call) => {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  return withIdempotencyKey(contract.requestPayout, call, async (tx) => {
    const row = await askForPayout(app, tx, user_id, { ...body, amount: BigInt(body.amount) })
    const detail = { amount: body.amount, reference: row.reference }
    await recordAction(tx, { user_id, act: 'payouts.requested', ...originOf(caller), detail })
    return { status: 201, body: toPayoutReply(row) } as const
  })
})
