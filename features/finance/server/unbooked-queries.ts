import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind, UnbookedCause } from '#features/finance/payment-events.ts'
import type { ProviderName } from '#features/finance/rules.ts'

type Db = Kysely<Database>

type Unbooked = {
  provider: ProviderName
  event_id: string
  kind: EventKind
  cause: UnbookedCause
  user_id: string | null
  top_up_id: bigint | null
  payment_reference: string | null
  amount: bigint | null
  currency: string | null
  reason: string
}

/** Changes nothing if the event is on the list for this cause already. */
export async function insertUnbooked(tx: Tx, event: Unbooked): Promise<void> {
  await tx
    .insertInto('unbooked_events')
    .values(event)
    .onConflict((conflict) => conflict.columns(['provider', 'event_id', 'cause']).doNothing())
    .execute()
}

/** Closes the lines of an event that only waited to be booked, or of a balance that its customer gives up. */
export async function closeBooked(
  tx: Tx,
  { provider, event_id }: Pick<Unbooked, 'provider' | 'event_id'>,
): Promise<void> {
  await tx
    .updateTable('unbooked_events')
    .set({ done_at: sql`now()` })
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .where('cause', 'in', ['unknown_payment', 'waits', 'account_closed'])
    .where('done_at', 'is', null)
    .execute()
}

/**
 * Closes the line of what a dispute or refund took beyond what was left of its payment, because the provider has returned just this amount.
 * Returns false where there is none, or a person has settled it. A return that is told twice finds it closed.
 */
export async function closeReturned(
  tx: Tx,
  top_up_id: bigint,
  { taken_by = null, amount }: { taken_by?: string | null; amount: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    update unbooked_events u set done_at = coalesce(u.done_at, now()) from payment_events p
    where p.provider = u.provider and p.event_id = u.event_id and p.taken_by = ${taken_by} and u.top_up_id = ${top_up_id}
      and u.cause in ('more_than_left', 'refund_under_way') and u.amount = ${amount} and u.done_by is null
    returning u.id`.execute(tx)
  return rows.length > 0
}

/**
 * Returns how much is held of a balance, in minor units: what banks and refunds took from payments of this customer and could not be
 * booked, until a person marks it as done (decision 232). An event in another currency holds the whole payment, one that waits for its
 * payment nothing, as that money has not come.
 */
export async function heldOf(
  db: Db,
  { user_id, currency }: { user_id: string; currency: string },
): Promise<bigint> {
  const { rows } = await sql<{ held: bigint }>`
    select coalesce(sum(case when u.currency = ${currency} then u.amount else t.amount end), 0)::bigint as held
    from unbooked_events u left join top_ups t on t.id = u.top_up_id
    where u.user_id = ${user_id}::uuid and u.done_at is null and u.kind = 'charged_back' and u.cause <> 'waits'
      and coalesce(t.currency, u.currency) = ${currency}`.execute(db)
  return rows[0]?.held ?? 0n
}

/** `top_up` and `reference` are the public id and the bank reference of the top-up. */
export type UnbookedRow = Unbooked & {
  id: string
  place: bigint
  top_up: string | null
  reference: string | null
  created_at: Date
  done_at: Date | null
  done_by: string | null
  done_note: string
}

const rowsOf = sql`
  select u.*, t.public_id as top_up, t.reference from unbooked_events u left join top_ups t on t.id = u.top_up_id`

/** Returns how many events wait for a member of staff. */
export async function countUnbooked(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from unbooked_events where done_at is null`.execute(db)
  return rows[0]?.open ?? 0
}

type Wanted = { state: 'open' | 'done'; before: string | undefined; limit: number }

/** The events that are open, or that are done, the newest first. */
export async function unbookedBefore(db: Db, { state, before, limit }: Wanted): Promise<UnbookedRow[]> {
  const { rows } = await sql<UnbookedRow>`${rowsOf}
    where u.done_at is ${state === 'open' ? sql`null` : sql`not null`}
      and u.place < coalesce(${before ?? null}::bigint, 9223372036854775807)
    order by u.place desc limit ${limit}`.execute(db)
  return rows
}

export async function unbookedOf(db: Db, id: string): Promise<UnbookedRow | undefined> {
  const { rows } = await sql<UnbookedRow>`${rowsOf} where u.id = ${id}`.execute(db)
  return rows[0]
}

/** Marks an open event as done; undefined if it was done already. */
export async function settleByHand(
  tx: Tx,
  id: string,
  { by, note }: { by: string; note: string },
): Promise<UnbookedRow | undefined> {
  const { rows } = await sql<{ id: string }>`
    update unbooked_events set done_at = now(), done_by = ${by}, done_note = ${note}
    where id = ${id} and done_at is null returning id`.execute(tx)
  return rows[0] && unbookedOf(tx, id)
}
