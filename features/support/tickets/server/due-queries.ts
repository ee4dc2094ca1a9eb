import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = Kysely<Database>

/** The highest number of tickets that are counted before another one. */
const MOST_BEFORE = 100

/** A customer who is about to write about this server, or about none. */
type Asked = { user_id: string; priority: string; host_id: bigint | null }

/** Returns the time by which an answer to a new ticket would be expected; null where none is promised. */
export async function expectedForNew(db: Db, asked: Asked): Promise<Date | null> {
  const { user_id, priority, host_id } = asked
  const { rows } = await sql<{ due_at: Date | null }>`
    select expected_answer(now(), true, ${priority}, ${user_id}::uuid, ${host_id}::bigint) as due_at`.execute(
    db,
  )
  return must(rows[0]).due_at
}

/** Counts the tickets that are to be answered before this one, up to `MOST_BEFORE`. A new ticket has no id yet, and comes after all of its time. */
export async function countBefore(db: Db, place: { due_at: Date; id: bigint | null }): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    select count(*)::int as before from (
      select from tickets where due_at is not null
        and (due_at, id) < (${place.due_at}::timestamptz, ${place.id ?? LAST}::bigint)
      limit ${MOST_BEFORE}) as few`.execute(db)
  return must(rows[0]).before
}

const LAST = 9_223_372_036_854_775_807n

/**
 * Computes the times of waiting tickets anew by the present calendar, `limit` of them behind the ticket `after`. Returns the last one, or
 * undefined at the end.
 */
export async function expectAnew(tx: Tx, after: bigint, limit: number): Promise<bigint | undefined> {
  const { rows } = await sql<{ last: bigint | null }>`
    with waiting as (
      select id from tickets where id > ${after} and status in ('opened', 'in-progress') and waiting_since is not null and snoozed_at is null
      order by id limit ${limit} for update),
    changed as (
      update tickets t set due_since = coalesce(due_since, waiting_since), due_at = expected_answer(
        coalesce(due_since, waiting_since), first_reply_at is null, priority, user_id, host_id)
      from waiting w where t.id = w.id returning t.id)
    select max(id) as last from changed`.execute(tx)
  return rows[0]?.last ?? undefined
}
