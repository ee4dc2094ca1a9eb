import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/finance/contract.ts'
import { isPaid, openAllocations, postedBy } from './event-queries.ts'
import { ingestEventIn, type ProviderEvent } from './payment-events.ts'
import { asWritten } from './references.ts'
import { answerWith, assertOther } from './staff.ts'
import { lockTopUp, topUpOf, topUpsBefore, type TopUpRow } from './top-up-queries.ts'
import { toTopUpReply } from './top-up-reply.ts'

/** Answers `GET /api/staff/top-ups/`. */
export const list = handler(contract.listTopUps, async ({ app, query }) => {
  const { limit, cursor, status, provider } = query
  const reference = query.reference && asWritten(query.reference)
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const rows = await topUpsBefore(app.db, { status, provider, reference }, { before, limit: limit + 1 })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    ({ id }) => [String(id)],
    (row) => row,
  )
  const shown = await Promise.all(
    items.map(async (row) => {
      const user = await findUser(app.db, row.user_id)
      return { ...toTopUpReply(app, row), customer: { id: row.user_id, email: user?.email ?? '' } }
    }),
  )
  return { status: 200, body: { items: shown, next_cursor } }
})

/**
 * Answers `POST …/top-ups/{id}/confirm/`. Money that has arrived is the customer's, so a transfer that was
 * cancelled or had expired meanwhile counts all the same (decision 032); the audit records its state before.
 */
export const confirm = handler(contract.confirmTopUp, async (call) => {
  const { app, actor, params, body } = call
  const work = async (tx: Tx) => {
    await assertOther(tx, actor, params.userId)
    const topUp = await held(tx, params)
    const refused = new HttpError(409, [{ code: 'top_up_not_pending' }])
    if (topUp.provider !== 'bank' || (await isPaid(tx, topUp.id))) throw refused
    const transaction_id = await posted(app, tx, { ...eventOf(topUp, body), kind: 'paid' })
    if (transaction_id === null) throw refused
    const { userId: user_id } = params
    const late = topUp.status === 'pending' ? {} : { was: topUp.status }
    return answerWith(tx, {
      actor,
      caller: call.caller,
      user_id,
      transaction_id,
      act: 'finance.confirmed',
      reason: body.reason,
      ...late,
    })
  }
  return withIdempotencyKey(contract.confirmTopUp, call, work, 'system')
})

/** Answers `POST …/top-ups/{id}/charge-back/`. */
export const chargeBack = handler(contract.chargeBackTopUp, async (call) => {
  const { app, actor, params, body } = call
  const work = async (tx: Tx) => {
    await assertOther(tx, actor, params.userId)
    const topUp = await held(tx, params)
    const event = { ...eventOf(topUp, body), kind: 'charged_back' } as const
    const pieces = await openAllocations(tx, topUp.id, 'fill_balance')
    const left = pieces.reduce((sum, piece) => sum + piece.left, 0n)
    const enough = left > 0n && (event.amount ?? left) <= left
    const transaction_id = enough ? await posted(app, tx, event) : null
    if (transaction_id === null) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
    const { userId: user_id } = params
    return answerWith(tx, {
      actor,
      caller: call.caller,
      user_id,
      transaction_id,
      act: 'finance.charged_back',
      reason: body.reason,
    })
  }
  return withIdempotencyKey(contract.chargeBackTopUp, call, work, 'system')
})

/** Ingests an event and returns the transaction it posted; null if none. */
async function posted(app: App, tx: Tx, event: ProviderEvent): Promise<string | null> {
  await ingestEventIn(app, tx, event)
  return postedBy(tx, event)
}

async function held(tx: Tx, { userId, id }: { userId: string; id: string }) {
  const topUp = await topUpOf(tx, userId, id)
  if (!topUp) throw notFound()
  return lockTopUp(tx, topUp.id)
}

/** Actions of staff take the same path as events of a provider. */
const eventOf = (
  { public_id: top_up, provider }: TopUpRow,
  { amount, reason }: { amount?: string | undefined; reason: string },
) => ({
  provider,
  event_id: `staff:${randomUUID()}`,
  top_up,
  payment_reference: null,
  amount: amount === undefined ? null : BigInt(amount),
  currency: null,
  reason,
})
