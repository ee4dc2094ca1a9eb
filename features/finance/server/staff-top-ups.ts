import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { placeInOrder } from '#foundation/server/database/order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/finance/contract.ts'
import { referenceOf } from '#features/finance/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { openAllocations } from './allocation-queries.ts'
import { postedBy } from './event-queries.ts'
import { ingestEventIn } from './payment-events.ts'
import type { ProviderEvent } from './provider-event.ts'
import { assertOther } from './assert-other.ts'
import { recordBooked, type Done } from './staff.ts'
import { lockTopUp, topUpOf, topUpsInOrder, type TopUpRow } from './top-up-queries.ts'
import { toTopUpReply } from './top-up-reply.ts'

/** Answers `GET /api/staff/top-ups/`. */
export const list = handler(contract.listTopUps, async ({ app, query }) => {
  const { limit, cursor, sort, status, provider } = query
  // A text that is no reference finds no top-up.
  const reference = query.reference === undefined ? undefined : (referenceOf(query.reference) ?? '')
  const { number } = placeKinds
  const after = placeInOrder(cursor, sort, { time: number, id: number })
  const rows = await topUpsInOrder(app.db, { status, provider, reference }, { sort, after, limit: limit + 1 })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    ({ id, amount }) => [sort, String(sort === 'newest' || sort === 'oldest' ? id : amount), String(id)],
    (row) => row,
  )
  const ids = items.map(({ user_id }) => user_id)
  const names = await displayNames(app, app.db, ids)
  const shown = await Promise.all(
    items.map(async (row) => {
      const user = await findUser(app.db, row.user_id)
      const customer = { ...names.of(row.user_id), email: user?.email ?? '' }
      return { ...toTopUpReply(app, row), customer }
    }),
  )
  return { status: 200, body: { items: shown, next_cursor } }
})

/** Answers `POST …/top-ups/{id}/charge-back/`. */
export const chargeBack = handler(contract.chargeBackTopUp, async (call) => {
  const { app, actor, params, body } = call
  const { userId: user_id, id } = params
  const { reason } = body
  const work = async (tx: Tx) => {
    await assertOther(tx, actor, user_id)
    const amount = body.amount === undefined ? undefined : BigInt(body.amount)
    const by = { by: actor.user_id, origin: originOf(call.caller) }
    const booked = await bookChargeBack(app, tx, { user_id, id, amount, reason }, by)
    return { status: 201, body: booked } as const
  }
  return withIdempotencyKey(contract.chargeBackTopUp, call, work, 'system')
})

type ChargeBack = {
  user_id: string
  /** The public id of the top-up. */
  id: string
  /** The amount in minor units; undefined for all that is left of the payment. */
  amount: bigint | undefined
  reason: string
}

/** Takes a payment back that the bank has taken back. Throws 404 and 409 `nothing_to_charge_back`. */
async function bookChargeBack(
  app: App,
  tx: Tx,
  { user_id, id, amount, reason }: ChargeBack,
  by: Done['by'],
): Promise<contract.Transaction> {
  const topUp = await lockTopUpOf(tx, user_id, id)
  const pieces = await openAllocations(tx, topUp.id, 'fill_balance')
  const left = pieces.reduce((sum, piece) => sum + piece.left, 0n)
  const enough = left > 0n && (amount ?? left) <= left
  const transaction_id = enough
    ? await bookStaffEvent(app, tx, topUp, { kind: 'charged_back', amount: amount ?? null, reason })
    : null
  if (transaction_id === null) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
  return recordBooked(tx, { by, user_id, transaction_id, act: 'finance.charged_back', reason })
}

/** Takes a payment back, as `bookChargeBack` does, for the command line, which knows no member of staff. */
export const chargeBackForOperator = (app: App, tx: Tx, wanted: ChargeBack): Promise<contract.Transaction> =>
  bookChargeBack(app, tx, wanted, { by: 'command line' })

/** Returns a customer's top-up, locked until the transaction ends, so that its events take turns. Throws 404. */
export async function lockTopUpOf(tx: Tx, user_id: string, public_id: string): Promise<TopUpRow> {
  const topUp = await topUpOf(tx, user_id, public_id)
  if (!topUp) throw notFound()
  return lockTopUp(tx, topUp.id)
}

/** Books a payment or chargeback that staff report, as if it were an event of the provider. Returns the transaction's id; null if none. */
export async function bookStaffEvent(
  app: App,
  tx: Tx,
  { public_id: top_up, provider }: TopUpRow,
  said: Pick<ProviderEvent, 'kind' | 'amount' | 'reason'>,
): Promise<string | null> {
  const id = { provider, event_id: `staff:${randomUUID()}` }
  const none = { payment_reference: null, currency: null }
  await ingestEventIn(app, tx, { ...id, ...said, ...none, top_up, stopsMethod: said.kind === 'charged_back' })
  return postedBy(tx, id)
}
