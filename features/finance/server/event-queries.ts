import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind } from '#features/finance/payment-events.ts'
import type { ProviderName } from '#features/finance/rules.ts'

type Db = Kysely<Database>

/** An event of a payment provider, in this product's terms. `amount` is in minor units, positive; null stands for the whole payment. */
export type PaymentEvent = {
  provider: ProviderName
  event_id: string
  kind: EventKind
  payment_reference: string | null
  /** The provider's own id of the dispute or refund that took the money or gives it back; absent if the provider names none. */
  taken_by?: string | null
  /** The country (ISO 3166-1) of the card or bank account that paid; absent if the provider does not say it. */
  paid_from?: string | null
  amount: bigint | null
  currency: string | null
  reason: string
}

/** Stores an event; false if it is a repetition (rule 14). */
export async function insertEvent(
  tx: Tx,
  event: PaymentEvent & { stops_method: boolean },
  top_up_id: bigint | null,
): Promise<boolean> {
  const written = await tx
    .insertInto('payment_events')
    .values({ ...event, top_up_id })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return written !== undefined
}

/** An event that was stored before its payment was known. */
export type EarlyEvent = Pick<PaymentEvent, 'kind' | 'reason'> & { stops_method: boolean }

/** Assigns to a top-up the events that named its payment before this payment was known, and returns them. */
export async function adoptEvents(
  tx: Tx,
  provider: string,
  payment_reference: string,
  top_up_id: bigint,
): Promise<EarlyEvent[]> {
  return tx
    .updateTable('payment_events')
    .set({ top_up_id })
    .where('provider', '=', provider)
    .where('payment_reference', '=', payment_reference)
    .where('top_up_id', 'is', null)
    .returning(['kind', 'reason', 'stops_method'])
    .execute()
}

/** Unsettled events of a top-up, in order of arrival. */
export async function openEvents(tx: Tx, top_up_id: bigint): Promise<PaymentEvent[]> {
  return tx
    .selectFrom('payment_events')
    .select(['provider', 'event_id', 'kind', 'payment_reference', 'taken_by', 'amount', 'currency', 'reason'])
    .where('top_up_id', '=', top_up_id)
    .where('settled_at', 'is', null)
    .orderBy('place')
    .$narrowType<{ provider: ProviderName }>()
    .execute()
}

/** Marks an event as settled, with the transactions it posted, if any. */
export async function settleEvent(
  tx: Tx,
  { provider, event_id }: Pick<PaymentEvent, 'provider' | 'event_id'>,
  transaction_ids: readonly string[],
): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ transaction_id: transaction_ids[0] ?? null, settled_at: sql`now()` })
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .where('settled_at', 'is', null)
    .execute()
  if (transaction_ids.length === 0) return
  await tx
    .insertInto('payment_event_bookings')
    .values(transaction_ids.map((transaction_id) => ({ transaction_id, provider, event_id })))
    .execute()
}

/** True of what took money of a top-up: `taken` is true once its event was settled, `returned` once it has given money back. */
export async function takings(
  db: Db,
  top_up_id: bigint,
  taken_by: string | null,
): Promise<{ taken: boolean; returned: boolean }> {
  const { rows } = await sql<{ taken: boolean; returned: boolean }>`
    select coalesce(bool_or(kind = 'charged_back'), false) as taken,
      coalesce(bool_or(kind = 'reinstated' and transaction_id is not null), false) as returned
    from payment_events where top_up_id = ${top_up_id} and settled_at is not null
      and taken_by is not distinct from ${taken_by}`.execute(db)
  return rows[0] ?? { taken: false, returned: false }
}

/** Returns the id of the transaction that an event posted; null if it posted none. */
export async function postedBy(
  db: Db,
  { provider, event_id }: Pick<PaymentEvent, 'provider' | 'event_id'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('payment_events')
    .select('transaction_id')
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .executeTakeFirst()
  return row?.transaction_id ?? null
}

/** True if the payment of a top-up was posted, even if it was charged back since. */
export async function isPaid(db: Db, top_up_id: bigint): Promise<boolean> {
  const paid = await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('top_up_id', '=', top_up_id)
    .where('kind', '=', 'paid')
    .where('transaction_id', 'is not', null)
    .executeTakeFirst()
  return paid !== undefined
}
