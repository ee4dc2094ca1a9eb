import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { endOfDay } from '#foundation/server/database/times.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type DebtRow = {
  id: string
  user_id: string
  began_at: Date
  /** Null if the debt never suspends anything. */
  suspend_after_days: number | null
  done_day: number | null
  last_step_at: Date | null
}

const columns = ['id', 'user_id', 'began_at', 'suspend_after_days', 'done_day', 'last_step_at'] as const

/** Returns the id of the new debt; undefined if the customer has an open one already. The caller has locked the balance. */
export async function insertDebt(
  tx: Tx,
  user_id: string,
  suspend_after_days: number | null,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('debts')
    .values({ user_id, suspend_after_days, next_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('user_id').where('settled_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The open debt of a customer, locked, with the time of the database; the caller has locked the balance (rule 9). */
export async function lockDebt(tx: Tx, user_id: string): Promise<(DebtRow & { now: Date }) | undefined> {
  return tx
    .selectFrom('debts')
    .select([...columns, sql<Date>`clock_timestamp()`.as('now')])
    .where('user_id', '=', user_id)
    .where('settled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function setStep(
  tx: Tx,
  { id, done_day, last_step_at }: DebtRow,
  next_at: Date | null,
): Promise<void> {
  await tx.updateTable('debts').set({ done_day, last_step_at, next_at }).where('id', '=', id).execute()
}

/** Ends the open debt of a customer and returns its id; undefined if there is none. */
export async function endDebt(tx: Tx, user_id: string): Promise<string | undefined> {
  const row = await tx
    .updateTable('debts')
    .set({ settled_at: sql<Date>`greatest(clock_timestamp(), began_at)`, next_at: null })
    .where('user_id', '=', user_id)
    .where('settled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Debts whose step is late by more than `late_s`, as after the loss of their jobs. */
export async function lateDebts(tx: Tx, late_s: number): Promise<{ id: string; user_id: string }[]> {
  return tx
    .selectFrom('debts')
    .select(['id', 'user_id'])
    .where('settled_at', 'is', null)
    .where('next_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${late_s})`)
    .limit(500)
    .execute()
}

/** The customers among these who have no open debt. */
export async function withoutDebt(db: App['db'], user_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${user_ids}::uuid[]) as w (id) where not exists (
      select from debts d where d.user_id = w.id and d.settled_at is null)`.execute(db)
  return rows.map(({ id }) => id)
}

/** The debts of a customer, open and settled, the latest first: for the copy of their data. */
export async function debtsOf(
  db: App['db'],
  user_id: string,
): Promise<{ began_at: Date; settled_at: Date | null }[]> {
  return db
    .selectFrom('debts')
    .select(['began_at', 'settled_at'])
    .where('user_id', '=', user_id)
    .orderBy('began_at', 'desc')
    .execute()
}

/** Returns by customer the beginning of the debt that was open at the end of a day, for those of these customers who had one. */
export async function debtsSince(
  db: App['db'],
  user_ids: readonly string[],
  { day, time_zone }: { day: string; time_zone: string },
): Promise<Map<string, Date>> {
  const end = endOfDay(day, time_zone)
  const { rows } = await sql<{ user_id: string; began_at: Date }>`
    select user_id, max(began_at) as began_at from debts
    where user_id = any(${user_ids}::uuid[]) and began_at < ${end} and (settled_at is null or settled_at >= ${end})
    group by user_id`.execute(db)
  return new Map(rows.map(({ user_id, began_at }) => [user_id, began_at]))
}
