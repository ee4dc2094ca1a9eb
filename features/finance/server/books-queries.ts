import { sql } from 'kysely'
import { endOfDay, withinDays } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'

/** A customer's balance at the end of a day and the part of it that is a gift, in minor units. The rest is money, below zero for a debt. */
export type BalanceRow = { user_id: string; balance: bigint; gift: bigint }

/** Returns all balances at the end of a day that are not zero, or hold a gift; the largest first. It reads all accounts. */
export async function balancesAt(
  db: App['db'],
  { day, time_zone, currency }: { day: string; time_zone: string; currency: string },
): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    with given as (
      select e.account_id, sum(e.gift)::bigint as gift from entries e
      where e.gift <> 0 and e.currency = ${currency} and e.created_at < ${endOfDay(day, time_zone)} group by e.account_id)
    select a.user_id, e.balance_after as balance, coalesce(g.gift, 0) as gift
    from ledger_accounts a cross join lateral (
      select balance_after from entries where account_id = a.id and seq is not null and created_at < ${endOfDay(day, time_zone)}
      order by created_at desc, seq desc limit 1) e
    left join given g on g.account_id = a.id
    where a.user_id is not null and a.currency = ${currency} and (e.balance_after <> 0 or g.gift <> 0)
    order by e.balance_after desc, a.id`.execute(db)
  return rows
}

/** Returns how much of all balances is a gift at each of these moments, in their order (minor units). */
export async function giftsAt(db: App['db'], moments: readonly Date[], currency: string): Promise<bigint[]> {
  const { rows } = await sql<{ gifts: bigint }>`
    select coalesce((select sum(gift) from entries where gift <> 0 and currency = ${currency} and created_at < m.at), 0)::bigint as gifts
    from unnest(${moments.map((at) => at.toISOString())}::timestamptz[]) with ordinality as m (at, place) order by m.place`.execute(
    db,
  )
  return rows.map(({ gifts }) => gifts)
}

/**
 * Returns the VAT (minor units) that the ledger holds for the documents issued from `first_day` to the day before `next_day`: booked in
 * the documents' own transactions, or by later splits.
 */
export async function vatBooked(
  db: App['db'],
  span: { first_day: string; next_day: string; time_zone: string; currency: string },
): Promise<bigint> {
  const { currency } = span
  const { rows } = await sql<{ booked: bigint }>`
    with documents as (
      select public_id, transaction_id, version from ledger_documents
      where currency = ${currency} and ${withinDays(sql`issued_at`, span)} and vat <> 0)
    select (coalesce((
        select sum(e.amount) from documents d join entries e on e.transaction_id = d.transaction_id
        where d.version = 1 and not e.of_customer and e.is_vat), 0)
      + coalesce((
        select sum(e.amount) from documents d
          join transactions t on t.splits = d.transaction_id and t.splits_document = d.public_id
          join entries e on e.transaction_id = t.id
        where not e.of_customer and e.is_vat), 0))::bigint as booked`.execute(db)
  return must(rows[0]).booked
}
