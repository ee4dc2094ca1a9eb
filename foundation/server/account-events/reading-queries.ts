import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** True for a list that is written for 29 days at least, and whose beginning every transaction knows. */
export async function isBeingRead(db: Db, owner: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_event_lists
    where user_id = ${owner} and is_settled and read_until > now() + interval '29 days'`.execute(db)
  return rows.length > 0
}

/** Begins a list, or keeps it written for 30 days more. Returns true if there may be transactions that do not know of it. */
export async function beginList(tx: Tx, owner: string): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    select begin_account_events(${owner}::uuid) as is_new`.execute(tx)
  return rows[0]?.is_new ?? true
}

/**
 * The transactions that run now and have read which lists there are, by names that are not given again while they run. Each holds the
 * view by which it read until its end.
 */
export async function openTransactions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct virtualtransaction as name from pg_locks
    where locktype = 'relation' and relation = 'known_event_epoch'::regclass and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ name }) => name)
}

export const settleList = async (tx: Tx, owner: string): Promise<void> =>
  void (await sql`select settle_account_events(${owner}::uuid)`.execute(tx))

/** Locks a list that is read, and returns its newest number; undefined for a list that is not. */
export async function lockList(tx: Tx, owner: string): Promise<number | undefined> {
  const { rows } = await sql<{
    last: bigint | null
  }>`select lock_account_events(${owner}::uuid) as last`.execute(tx)
  const last = rows[0]?.last
  return last === null || last === undefined ? undefined : Number(last)
}

export const keepList = async (tx: Tx, owner: string, forever: boolean): Promise<void> =>
  void (await sql`select keep_account_events_read(${owner}::uuid, ${forever})`.execute(tx))
