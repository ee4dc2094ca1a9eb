import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ProviderName } from '#features/finance/rules.ts'

type Db = Kysely<Database>

export type EventKind = 'paid' | 'failed' | 'charged_back' | 'reinstated'

/** An event of a payment provider, in this product's terms. `amount` is in minor units, positive; null stands for the whole payment. */
export type PaymentEvent = {
  provider: ProviderName
  event_id: string
  kind: EventKind
  payment_reference: string | null
  amount: bigint | null
  currency: string | null
  reason: string
}

/** Stores an event; false if it is a repetition (rule 14). */
export async function insertEvent(tx: Tx, event: PaymentEvent, top_up_id: bigint | null): Promise<boolean> {
  const written = await tx
    .insertInto('payment_events')
    .values({ ...event, top_up_id })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return written !== undefined
}

/** Assigns to a top-up the events that named its payment before this payment was known. */
export async function adoptEvents(
  tx: Tx,
  provider: string,
  payment_reference: string,
  top_up_id: bigint,
): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ top_up_id })
    .where('provider', '=', provider)
    .where('payment_reference', '=', payment_reference)
    .where('top_up_id', 'is', null)
    .execute()
}

/** Unsettled events of a top-up, in order of arrival. */
export async function openEvents(tx: Tx, top_up_id: bigint): Promise<PaymentEvent[]> {
  return tx
    .selectFrom('payment_events')
    .select(['provider', 'event_id', 'kind', 'payment_reference', 'amount', 'currency', 'reason'])
    .where('top_up_id', '=', top_up_id)
    .where('settled_at', 'is', null)
    .orderBy('place')
    .$narrowType<{ provider: ProviderName }>()
    .execute()
}

/** Marks an event as settled, with the transaction it posted (the first of several), or (null) none. */
export async function settleEvent(
  tx: Tx,
  { provider, event_id }: PaymentEvent,
  transaction_id: string | null,
): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ transaction_id, settled_at: sql`now()` })
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .where('settled_at', 'is', null)
    .execute()
}

export type OpenAllocation = { id: string; left: bigint }

/**
 * Returns the transactions of one type that can still be reversed, oldest first, each with the amount left: of a
 * top-up's payment and of every chargeback and reinstatement since. Returns none before the top-up was paid.
 */
export async function openAllocations(
  db: Db,
  top_up_id: bigint,
  type: 'fill_balance' | 'charge_back',
): Promise<OpenAllocation[]> {
  const { rows } = await sql<OpenAllocation>`
    with recursive chain as (
      select t.id, t.type, t.created_at from payment_events p join transactions t on t.id = p.transaction_id
      where p.top_up_id = ${top_up_id} and p.kind = 'paid'
      union all
      select t.id, t.type, t.created_at from chain c join transactions t on t.reverses = c.id)
    select c.id, (abs(e.amount) - coalesce((
        select sum(abs(back.amount)) from transactions r join entries back on back.transaction_id = r.id and back.of_customer
        where r.reverses = c.id), 0))::bigint as left
    from chain c join entries e on e.transaction_id = c.id and e.of_customer
    where c.type = ${type} order by e.seq`.execute(db)
  return rows.filter(({ left }) => left > 0n)
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
