import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'

type Db = Kysely<Database>

export type OpenAllocation = { id: string; left: bigint }

/** Transactions `c` that were posted by the dispute or refund `taken_by`; those that nothing named (null) count for each other. */
const takenBy = (taken_by: string | null) => sql`coalesce((
  select p.taken_by from payment_event_bookings b join payment_events p on p.provider = b.provider and p.event_id = b.event_id
  where b.transaction_id = c.id), '') = ${taken_by ?? ''}`

/**
 * Returns the transactions of one type that can still be reversed, oldest first, each with the amount left: of a top-up's payment and of
 * every chargeback and reinstatement since, but for what went to another account of the person or was paid out, which no bank reinstates.
 * Returns none before the top-up was paid. With `taken_by` only what this dispute or refund took; null stands for what names none.
 */
export async function openAllocations(
  db: Db,
  top_up_id: bigint,
  type: 'fill_balance' | 'charge_back',
  taken_by?: string | null,
): Promise<OpenAllocation[]> {
  const { rows } = await sql<OpenAllocation>`
    with recursive chain as (
      select t.id, t.type, t.description ->> 'code' as code from payment_events p join transactions t on t.id = p.transaction_id
      where p.top_up_id = ${top_up_id} and p.kind = 'paid'
      union all
      select t.id, t.type, t.description ->> 'code' from chain c join transactions t on t.reverses = c.id)
    select c.id, (abs(e.amount) - ${takenBackOf(sql`c.id`)})::bigint as left
    from chain c join entries e on e.transaction_id = c.id and e.of_customer
    where c.type = ${type} and (c.type = 'fill_balance' or c.code not in ('merge', 'pay_out', 'payout')) and ${taken_by === undefined ? sql`true` : takenBy(taken_by)} order by e.seq`.execute(
    db,
  )
  return rows.filter(({ left }) => left > 0n)
}

/** Returns a customer's payments that were not taken back, oldest first, each with the amount left. */
export async function openPayments(db: Db, user_id: string, currency: string): Promise<OpenAllocation[]> {
  const { rows } = await sql<OpenAllocation>`
    select t.id, (e.amount - ${takenBackOf(sql`t.id`)})::bigint as left
    from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    where t.user_id = ${user_id} and t.currency = ${currency} and t.type = 'fill_balance' order by e.seq`.execute(
    db,
  )
  return rows.filter(({ left }) => left > 0n)
}

const takenBackOf = (id: RawBuilder<unknown>) => sql`coalesce((
  select sum(abs(back.amount)) from transactions r join entries back on back.transaction_id = r.id and back.of_customer
  where r.reverses = ${id}), 0)`

/** A payment or chargeback: the event that booked it, null for a pay-out, and the amount that was not taken back since. */
export type Booked = {
  type: 'fill_balance' | 'charge_back'
  left: bigint
  is_pay_out: boolean
  event_id: string | null
  top_up_id: bigint | null
  provider: string
}

/** Returns a payment or chargeback of this customer; undefined if the customer has none with this id. */
export async function bookedBy(db: Db, user_id: string, transaction_id: string): Promise<Booked | undefined> {
  const { rows } = await sql<Booked>`
    select t.type, (abs(e.amount) - ${takenBackOf(sql`t.id`)})::bigint as left, t.description ->> 'code' = 'pay_out' as is_pay_out,
      p.event_id, p.top_up_id, coalesce(p.provider, t.description -> 'params' ->> 'provider', 'bank') as provider
    from transactions t join entries e on e.transaction_id = t.id and e.of_customer
      left join payment_event_bookings b on b.transaction_id = t.id
      left join payment_events p on p.provider = b.provider and p.event_id = b.event_id
    where t.id = ${transaction_id} and t.user_id = ${user_id} and t.type in ('fill_balance', 'charge_back')`.execute(
    db,
  )
  return rows[0]
}
