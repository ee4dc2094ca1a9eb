import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { findTransaction } from '#features/finance/server/finance.ts'
import { announceHost, lockHost, type HostRow } from '#features/hosts/server/hosts.ts'
import { WITHDRAWALS_CHANGED } from '#features/legal/contract.ts'
import { insertWithdrawal, waitingWithdrawals, withdrawableOf } from '#features/legal/server/legal.ts'
import { beginCredit } from '#features/payers/server/payers.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { shareOfPrice, unusedShare } from '#features/sales/rules.ts'
import {
  endRefunded,
  onceNetOf,
  orderedPeriod,
  runtimeOf,
  type PaidOrder,
} from '#features/licences/server/licences.ts'
import * as sales from '#features/sales/contract.ts'
import { declaredReply } from './charges.ts'
import { partsOfSpending } from './parts.ts'
import { mailBilling, withdrawalReceived } from './refund-mails.ts'

/**
 * Answers `POST /api/hosts/{hostId}/licence/withdrawal/` (row L-02): the declaration of a consumer, which needs no consent. The runtime of
 * the order ends now, so that the refund proposed to billing is for exactly the unused time. A second declaration gets the same answer.
 */
export const withdraw = handler(sales.withdrawLicence, async ({ app, actor, caller, params, body }) => {
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    // Renewals, refunds and another withdrawal wait for the host (rule 9).
    const host = await lockHost(tx, user_id, params.hostId)
    const order = await orderedPeriod(tx, host, body.order_id)
    if (!order) throw notFound()
    const [agreed] = await withdrawableOf(tx, [order.id], app.config.timeZone)
    if (!agreed) throw new HttpError(409, [{ code: 'not_withdrawable' }])
    if (agreed.declared_at !== null) return { status: 201, body: declaredReply(agreed) } as const
    if (!agreed.is_open) throw new HttpError(409, [{ code: 'withdrawal_over' }])
    const declared = await declare(app, tx, host, order)
    const detail = { order_id: order.id, proposed_refund: declared.proposed_refund.toString() }
    await recordAction(tx, { user_id, act: 'withdrawal.declared', ...originOf(caller), detail })
    await confirmByMail(app, tx, host, order, declared)
    await mailBilling(app, tx, host, declared)
    await publishToStaff(tx, { type: WITHDRAWALS_CHANGED }, { hidden_from: user_id })
    return { status: 201, body: declaredReply(declared) } as const
  })
})

/** Returns the amount that a withdrawal gives back: all that was paid once, and the unused share of what was paid for the time. */
function unusedOf({ net, total, extras, ...period }: PaidOrder, declared_at: Date): bigint {
  const once = shareOfPrice(total, onceNetOf(extras), net)
  return once + unusedShare(total - once, period, declared_at)
}

type Declared = { declared_at: Date; proposed_refund: bigint; currency: string }

async function declare(app: App, tx: Tx, host: HostRow, order: PaidOrder): Promise<Declared> {
  // The refund goes by the account that has ordered, maybe one that was merged into the owner's; so does the withdrawal, as staff refund it there.
  const { id: order_id, user_id, transaction_id, currency } = order
  // A trial has nothing to give back.
  if (transaction_id === null || order.ended !== null)
    throw new HttpError(409, [{ code: 'not_withdrawable' }])
  const parts = await partsOfSpending(tx, { user_id, transaction_id })
  const left = must(parts.find((part) => part.order_id === order_id)).left.total
  if (left <= 0n) throw new HttpError(409, [{ code: 'not_withdrawable' }])
  const { now: declared_at } = await runtimeOf(tx, host.id)
  const unused = unusedOf(order, declared_at)
  const declared = { declared_at, proposed_refund: unused < left ? unused : left, currency }
  if (user_id !== host.user_id) await beginCredit(tx, transaction_id)
  await insertWithdrawal(tx, { user_id, order_id, transaction_id, ...declared })
  await endRefunded(tx, host, order_id)
  await announceHost(tx, host)
  return declared
}

/** The proof on a durable medium, which the directive demands without delay (2011/83/EU, article 11). */
const confirmByMail = (app: App, tx: Tx, host: HostRow, order: PaidOrder, declared: Declared) =>
  mailTo(app, tx, host.user_id, withdrawalReceived, {
    host: host.name,
    host_id: host.public_id,
    plan: order.plan_name,
    order_id: order.id,
    ordered_at: order.ordered_at,
    ...declared,
  })

/** Answers `GET /api/staff/withdrawals/`. */
export const listWithdrawals = handler(sales.listWithdrawals, async ({ app, query: { limit, cursor } }) => {
  const [declared_at, id] = placeIn(cursor, [placeKinds.time, placeKinds.uuid]) ?? []
  const after = declared_at !== undefined && id !== undefined ? { declared_at, id } : undefined
  const rows = await waitingWithdrawals(app.db, { after, limit: limit + 1 })
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
  const paid = await Promise.all(
    rows.map(
      async (row) => [row.id, await findTransaction(app.db, row.user_id, row.transaction_id)] as const,
    ),
  )
  const payments = new Map(paid)
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.declared_at.toISOString(), row.id],
    (row) => ({
      customer: names.of(row.user_id),
      ...declaredReply(row),
      order_id: row.order_id,
      transaction: must(payments.get(row.id)),
    }),
  )
  return { status: 200, body: page }
})
