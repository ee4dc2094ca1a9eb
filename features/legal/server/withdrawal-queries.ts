import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Withdrawal = {
  id: string
  user_id: string
  order_id: string
  transaction_id: string
  declared_at: Date
  /** Minor units of `currency`. */
  proposed_refund: bigint
  currency: string
}

/** An order that its customer may withdraw from, or has withdrawn from. */
export type Withdrawable = { order_id: string; until: Date; is_open: boolean } & (
  | Pick<Withdrawal, 'declared_at' | 'proposed_refund' | 'currency'>
  | { declared_at: null }
)

/**
 * Returns the orders among these that consumers asked to begin at once, with the end of the period for withdrawing. The day of the order
 * does not count, and the period ends at the midnight after the fourteenth day, or after the Monday that follows where that day is a Saturday
 * or Sunday (Regulation 1182/71, article 3).
 */
export async function withdrawableOf(
  db: App['db'],
  order_ids: readonly string[],
  time_zone: string,
): Promise<Withdrawable[]> {
  const { rows } = await sql<Withdrawable>`
    select order_id, until, clock_timestamp() < until as is_open, declared_at, proposed_refund, currency
    from (select a.order_id, (last + case extract(isodow from last) when 6 then 3 when 7 then 2 else 1 end)::timestamp
          at time zone ${time_zone} as until, w.declared_at, w.proposed_refund, w.currency
      from acceptances a cross join lateral (select (a.at at time zone ${time_zone})::date + 14 as last)
        left join withdrawals w on w.order_id = a.order_id
      where a.document = 'begin_now' and a.order_id = any(${[...order_ids]}::uuid[])) as agreed`.execute(db)
  return rows
}

export async function insertWithdrawal(tx: Tx, declared: Omit<Withdrawal, 'id'>): Promise<void> {
  await tx.insertInto('withdrawals').values(declared).execute()
}

/** Records the refund of a payment for its withdrawn orders (only `order_id` if given). Does nothing for orders without a withdrawal. */
export async function insertRefund(
  tx: Tx,
  {
    transaction_id,
    order_id,
    refund_transaction_id,
  }: { transaction_id: string; order_id: string | null; refund_transaction_id: string },
): Promise<void> {
  await sql`
    insert into withdrawal_refunds (withdrawal_id, user_id, refund_transaction_id)
    select id, user_id, ${refund_transaction_id}::uuid from withdrawals
    where transaction_id = ${transaction_id} and order_id = coalesce(${order_id}::uuid, order_id)
    on conflict do nothing`.execute(tx)
}

type Place = { declared_at: string; id: string }

/** A page of the withdrawals that still wait for their refund, oldest first, after the place `after`. */
export async function waitingWithdrawals(
  db: App['db'],
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<Withdrawal[]> {
  const behind = after
    ? sql`and (declared_at, id) > (${after.declared_at}::timestamptz, ${after.id}::uuid)`
    : sql``
  const { rows } = await sql<Withdrawal>`
    select id, user_id, order_id, transaction_id, declared_at, proposed_refund, currency from withdrawals w
    where proposed_refund > 0 and not exists (select from withdrawal_refunds where withdrawal_id = w.id) ${behind}
    order by declared_at, id limit ${limit}`.execute(db)
  return rows
}

/** Returns the number of withdrawals that wait for a refund, without the member of staff's own: nobody refunds themselves. */
export async function countWaitingWithdrawals(db: App['db'], staff_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from withdrawals w
    where proposed_refund > 0 and user_id <> ${staff_id}
      and not exists (select from withdrawal_refunds where withdrawal_id = w.id)`.execute(db)
  return rows[0]?.count ?? 0
}

/** True for a customer with a withdrawal that waits for its refund. */
export async function hasWaitingWithdrawal(db: App['db'], user_id: string): Promise<boolean> {
  const { rows } = await sql`select from withdrawals w where user_id = ${user_id} and proposed_refund > 0
    and not exists (select from withdrawal_refunds where withdrawal_id = w.id) limit 1`.execute(db)
  return rows.length > 0
}

/** The withdrawals of a customer, newest first. */
export async function withdrawalsOf(
  db: App['db'],
  user_id: string,
): Promise<Pick<Withdrawal, 'order_id' | 'declared_at' | 'proposed_refund' | 'currency'>[]> {
  const { rows } = await sql<Withdrawal>`
    select order_id, declared_at, proposed_refund::text as proposed_refund, currency from withdrawals
    where user_id = ${user_id} order by declared_at desc`.execute(db)
  return rows
}
