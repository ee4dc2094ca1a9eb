import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/finance/contract.ts'
import type { UnbookedCause } from '#features/finance/payment-events.ts'
import { settleEvent, type PaymentEvent } from './event-queries.ts'
import { deleteGuest, lockGuestOfEvent } from './guest-queries.ts'
import type { TopUpRow } from './top-up-queries.ts'
import * as queries from './unbooked-queries.ts'

type About = { topUp?: TopUpRow; user_id?: string | null }

/** Puts an event that is not booked, or only in part (then with the rest as its amount), on the list of staff, once for each cause. */
export const keepUnbooked = (
  tx: Tx,
  { provider, event_id, kind, payment_reference, amount, currency, reason }: PaymentEvent,
  cause: UnbookedCause,
  { topUp, user_id = null }: About,
): Promise<void> =>
  queries.insertUnbooked(tx, {
    provider,
    event_id,
    kind,
    cause,
    payment_reference,
    amount,
    reason,
    currency: currency ?? topUp?.currency ?? null,
    user_id: topUp?.user_id ?? user_id,
    top_up_id: topUp?.id ?? null,
  })

/** Settles an event without booking it, and puts it on the list of staff. */
export async function settleUnbooked(
  tx: Tx,
  event: PaymentEvent,
  cause: UnbookedCause,
  about: About,
): Promise<void> {
  await settleEvent(tx, event, [])
  await queries.closeBooked(tx, event)
  await keepUnbooked(tx, event, cause, about)
}

/** Takes an event off the list that is booked by itself after all. */
export const closeUnbooked = (tx: Tx, event: Pick<PaymentEvent, 'provider' | 'event_id'>): Promise<void> =>
  queries.closeBooked(tx, event)

/** Answers `GET /api/staff/unbooked-events/`. */
export const listUnbooked = handler(contract.listUnbookedEvents, async ({ app, query }) => {
  const { limit, cursor, state } = query
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const rows = await queries.unbookedBefore(app.db, { state, before, limit: limit + 1 })
  const names = await namesIn(app, app.db, rows)
  const body = pageFrom(
    rows,
    limit,
    ({ place }) => [String(place)],
    (row) => toReply(app, row, names),
  )
  return { status: 200, body }
})

/** Answers `POST /api/staff/unbooked-events/{id}/settlement/`. */
export const settleByHand = handler(contract.settleUnbookedEvent, ({ app, actor, caller, params, body }) =>
  transaction(app, 'system', async (tx) => {
    const open = await queries.unbookedOf(tx, params.id)
    if (!open) throw notFound()
    // It is locked before the line, as by its owner who takes it: of the two, the first decides.
    const guest = await lockGuestOfEvent(tx, open)
    const done = await queries.settleByHand(tx, params.id, { by: actor.user_id, note: body.note })
    if (!done) throw new HttpError(409, [{ code: 'event_settled' }])
    // Staff may have paid it back: nobody takes it by its link any more (decision 202).
    if (guest !== undefined) await deleteGuest(tx, guest)
    const { provider, event_id, cause, user_id } = done
    const detail = { by: actor.user_id, provider, event_id, cause, reason: body.note }
    await recordAction(tx, { user_id, act: 'finance.event_settled', ...originOf(caller), detail })
    return { status: 200, body: toReply(app, done, await namesIn(app, tx, [done])) } as const
  }),
)

type Names = Awaited<ReturnType<typeof displayNames>>

const namesIn = (app: App, db: App['db'], rows: readonly queries.UnbookedRow[]): Promise<Names> =>
  displayNames(
    app,
    db,
    rows.flatMap(({ user_id, done_by }) => [user_id, done_by]).filter((id) => id !== null),
  )

function toReply({ config }: App, row: queries.UnbookedRow, names: Names): contract.UnbookedEvent {
  const { id, provider, event_id, kind, cause, payment_reference, reason, reference, top_up } = row
  return {
    id,
    provider,
    event_id,
    kind,
    cause,
    payment_reference,
    reason,
    reference,
    top_up,
    amount: row.amount === null ? null : toMoney(row.amount, row.currency ?? config.currency),
    created_at: row.created_at.toISOString(),
    customer: row.user_id === null ? null : names.of(row.user_id),
    done: row.done_at && {
      at: row.done_at.toISOString(),
      by: row.done_by === null ? null : names.of(row.done_by),
      note: row.done_note,
    },
  }
}
