import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { areLinked } from '#features/profile/server/profile.ts'
import * as contract from '#features/finance/contract.ts'
import { assertBelowCap } from './balance-cap.ts'
import { credit } from './credit.ts'
import { balanceOf, bookRefund } from './finance.ts'
import { findTransaction, pageOfTransactions } from './transactions.ts'

/** Answers `GET /api/staff/customers/{userId}/transactions/`. */
export const customerTransactions = handler(contract.customerTransactions, async ({ app, params, query }) => {
  await assertCustomer(app.db, params.userId)
  const page = await pageOfTransactions(app, params.userId, query)
  const balance = toMoney(await balanceOf(app, app.db, params.userId), app.config.currency)
  return { status: 200, body: { ...page, balance } }
})

/** Answers `POST /api/staff/customers/{userId}/credits/`. */
export const giveCredit = handler(contract.giveCredit, async (call) => {
  const { app, actor, params, body } = call
  const { userId: user_id } = params
  const work = async (tx: Tx) => {
    await assertOther(tx, actor, user_id)
    const amount = BigInt(body.amount)
    await assertBelowCap(app, tx, user_id, amount, 'amount')
    const { transaction_id } = await credit(app, tx, { user_id, amount, reason: body.reason })
    return answerWith(tx, {
      actor,
      caller: call.caller,
      user_id,
      transaction_id,
      act: 'finance.credit_given',
      reason: body.reason,
    })
  }
  return withIdempotencyKey(contract.giveCredit, call, work, 'system')
})

/** Answers `POST /api/staff/customers/{userId}/transactions/{id}/refund/`. */
export const refund = handler(contract.refundTransaction, async (call) => {
  const { app, actor, params, body } = call
  const { userId: user_id, id } = params
  const work = async (tx: Tx) => {
    await assertOther(tx, actor, user_id)
    const amount = body.amount === undefined ? undefined : BigInt(body.amount)
    const { transaction_id } = await bookRefund(app, tx, {
      user_id,
      transaction_id: id,
      amount,
      reason: body.reason,
    })
    return answerWith(tx, {
      actor,
      caller: call.caller,
      user_id,
      transaction_id,
      act: 'finance.refunded',
      reason: body.reason,
    })
  }
  return withIdempotencyKey(contract.refundTransaction, call, work, 'system')
})

export type Done = {
  actor: Actor
  caller: Caller
  user_id: string
  transaction_id: string
  act: string
  reason: string
  /** The status of a top-up before its money came late. */
  was?: string
}

/** The answer to an action of staff, which is written to the audit here: person, reason, and transaction. */
export async function answerWith(tx: Tx, { actor, caller, user_id, transaction_id, act, reason, was }: Done) {
  const detail = { by: actor.user_id, transaction_id, reason, ...(was === undefined ? {} : { was }) }
  await recordAction(tx, { user_id, act, ...originOf(caller), detail })
  return { status: 201, body: must(await findTransaction(tx, user_id, transaction_id)) } as const
}

/**
 * The attack is a member of staff who credits their own account, or one that they opened beside it: actions for others are
 * refused for oneself (decision 065).
 */
export async function assertOther(db: App['db'], actor: Actor, user_id: string): Promise<void> {
  await assertCustomer(db, user_id)
  if (actor.user_id === user_id || (await areLinked(db, actor.user_id, user_id)))
    throw new HttpError(403, [{ code: 'own_account' }])
}

async function assertCustomer(db: App['db'], user_id: string): Promise<void> {
  if (!(await findUser(db, user_id))) throw notFound()
}
