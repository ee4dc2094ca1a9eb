import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { columns, type TopUpRow } from './top-up-queries.ts'

/**
 * Marks transfers that have been pending for so many days as reminded of. Rows that another transaction has
 * locked are left to the next run.
 */
export async function remindOld(tx: Tx, days: number, limit: number): Promise<TopUpRow[]> {
  const { rows } = await sql<TopUpRow>`
    with due as materialized (
      select id from top_ups where status = 'pending' and provider = 'bank' and reminded_at is null
        and created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit} for no key update skip locked)
    update top_ups t set reminded_at = now() from due where due.id = t.id returning ${columns}`.execute(tx)
  return rows
}

/** Expires stale top-ups. A payment that still arrives is booked anyway. */
export async function expireOld(tx: Tx, days: number, limit: number): Promise<TopUpRow[]> {
  const { rows } = await sql<TopUpRow>`
    with due as materialized (
      select id from top_ups where status = 'pending' and created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit} for no key update skip locked)
    update top_ups t set status = 'expired' from due where due.id = t.id returning ${columns}`.execute(tx)
  return rows
}
