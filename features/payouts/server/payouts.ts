import { toMoney } from '#foundation/money.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { lockBalanceOf, payableOf } from '#features/finance/server/finance.ts'
import * as contract from '#features/payouts/contract.ts'
import { keepAccount } from './accounts.ts'
import { assertFewUnderWay, payToAccount } from './create.ts'
import { payoutsOf } from './queries.ts'
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

/** Answers `POST /api/finances/payouts/`. */
export const request = handler(contract.requestPayout, (call) => {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  return withIdempotencyKey(contract.requestPayout, call, async (tx) => {
    const account_id = await keepAccount(app, tx, user_id, body)
    await lockBalanceOf(app, tx, user_id)
    await assertFewUnderWay(tx, user_id)
    const amount = BigInt(body.amount)
    const { payable } = await payableOf(tx, { user_id, currency: app.config.currency })
    if (amount > payable) throw new HttpError(409, [{ code: 'more_than_payable', param: 'amount' }])
    const row = await payToAccount(app, tx, { user_id, amount, account_id, requested_by: null, reason: '' })
    const detail = { amount: body.amount, reference: row.reference }
    await recordAction(tx, { user_id, act: 'payouts.requested', ...originOf(caller), detail })
    return { status: 201, body: toPayoutReply(row) } as const
  })
})
