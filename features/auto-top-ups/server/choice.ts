import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest, conflictWith } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { offered } from '#features/finance/server/finance.ts'
import { usableMethod } from '#features/methods/server/methods.ts'
import * as contract from '#features/auto-top-ups/contract.ts'
import { cancelWaiting, tellOfChange } from './ends.ts'
import { lockAutoTopUp, lockWithRun } from './locks.ts'
import { autoTopUpOf, deleteAutoTopUp, putAutoTopUp } from './queries.ts'
import { autoTopUpReply, OFF } from './replies.ts'

/** Answers `GET /api/finances/auto-top-up/`. */
export const get = handler(contract.getAutoTopUp, async ({ app, actor }) => ({
  status: 200,
  body: await autoTopUpReply(app, app.db, actor.user_id),
}))

/** Answers `PUT /api/finances/auto-top-up/`: the first look at the balance follows within a minute. */
export const put = handler(contract.setAutoTopUp, async ({ app, actor, caller, body }) => {
  const { user_id } = actor
  const chosen = amountsIn(app, body)
  return transaction(app, { userId: user_id }, async (tx) => {
    await lockAutoTopUp(tx, user_id)
    const before = await autoTopUpOf(tx, user_id)
    // Another tab has chosen what this page did not show (rule 45).
    if (body.version !== (before?.version ?? OFF))
      throw conflictWith({ code: 'changed' }, { present: await autoTopUpReply(app, tx, user_id) })
    const { id: method_id, provider } = await usableMethod(tx, user_id, body.method_id)
    if (!offered(app, provider)) throw badRequest('provider_not_offered', 'method_id')
    await putAutoTopUp(tx, { user_id, method_id, kind: body.kind, ...chosen })
    const detail = { kind: body.kind, month_limit: chosen.month_limit.toString() }
    await recordAction(tx, { user_id, act: 'auto_top_ups.on', ...originOf(caller), detail })
    await tellOfChange(tx, user_id)
    return { status: 200, body: await autoTopUpReply(app, tx, user_id) } as const
  })
})

/** Throws 400 `required` or `invalid` for an amount that the kind needs or does not have, and for amounts out of bounds. */
function amountsIn({ config: { topUp } }: App, body: Call<typeof contract.setAutoTopUp>['body']) {
  const month_limit = BigInt(body.month_limit)
  if (month_limit < topUp.min) throw badRequest('amount_too_small', 'month_limit')
  const isThreshold = body.kind === 'threshold'
  for (const name of ['threshold', 'amount'] as const) {
    if (isThreshold && body[name] === undefined) throw badRequest('required', name)
    if (!isThreshold && body[name] !== undefined) throw badRequest('invalid', name)
  }
  if (body.threshold === undefined || body.amount === undefined)
    return { month_limit, threshold: null, amount: null }
  const [threshold, amount] = [BigInt(body.threshold), BigInt(body.amount)]
  if (amount < topUp.min) throw badRequest('amount_too_small', 'amount')
  if (amount > topUp.max) throw badRequest('amount_too_large', 'amount')
  if (amount > month_limit) throw badRequest('amount_above_limit', 'amount')
  if (threshold > topUp.balanceCap) throw badRequest('amount_too_large', 'threshold')
  return { month_limit, threshold, amount }
}

/** Answers `DELETE /api/finances/auto-top-up/`. Turning off what is off changes nothing. */
export const end = handler(contract.endAutoTopUp, ({ app, actor: { user_id }, caller }) =>
  transaction(app, { userId: user_id }, async (tx) => {
    await lockWithRun(tx, user_id)
    if (await autoTopUpOf(tx, user_id)) {
      await recordAction(tx, { user_id, act: 'auto_top_ups.off', ...originOf(caller) })
      await deleteAutoTopUp(tx, user_id)
    }
    await cancelWaiting(tx, user_id)
    await tellOfChange(tx, user_id)
    return { status: 204 } as const
  }),
)
