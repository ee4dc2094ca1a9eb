import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type ResetRow = {
  id: string
  user_id: string
  reason: string
  by: string | null
  requested_at: Date
  due_at: Date
  /** The address to which the account moves with the reset; null where it keeps its addresses. */
  new_email: string | null
  /** The account into which it is merged instead of a reset; null for all others. */
  merge_into: string | null
  /** The time at which the warning, a day before the reset, was mailed; null before that. */
  warned_at: Date | null
}

const columns = [
  'id',
  'user_id',
  'reason',
  'by',
  'requested_at',
  'due_at',
  'warned_at',
  'new_email',
  'merge_into',
] as const

/** Returns the open reset of an account, which has one at most. */
export async function openReset(db: App['db'], user_id: string): Promise<ResetRow | undefined> {
  return db
    .selectFrom('factor_resets')
    .select(columns)
    .where('user_id', '=', user_id)
    .where('status', '=', 'requested')
    .executeTakeFirst()
}

export async function insertReset(
  tx: Tx,
  {
    wait_s,
    token_hash,
    ...row
  }: {
    user_id: string
    reason: string
    by: string | null
    wait_s: number
    token_hash: Buffer
    new_email: string | null
    merge_into: string | null
    identity: string | null
  },
): Promise<ResetRow> {
  return tx
    .insertInto('factor_resets')
    .values({
      ...row,
      due_at: sql<Date>`now() + make_interval(secs => ${wait_s})`,
      token_hashes: [token_hash],
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Returns the account of a reset in any state, the address to which it moves, and the account into which it is merged. */
export async function ownerOfReset(
  db: App['db'],
  id: string,
): Promise<Pick<ResetRow, 'user_id' | 'new_email' | 'merge_into' | 'reason' | 'by'> | undefined> {
  return db
    .selectFrom('factor_resets')
    .select(['user_id', 'new_email', 'merge_into', 'reason', 'by'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the open reset that this key, from one of its mails, can stop. */
export async function resetByKey(db: App['db'], token_hash: Buffer): Promise<ResetRow | undefined> {
  return db
    .selectFrom('factor_resets')
    .select(columns)
    .where(sql<boolean>`token_hashes @> array[${token_hash}::bytea]`)
    .where('status', '=', 'requested')
    .executeTakeFirst()
}

/** Notes that the warning was mailed, and adds its key. It needs a key of its own: the first key is stored as a hash only. */
export async function noteWarning(tx: Tx, id: string, token_hash: Buffer): Promise<void> {
  await tx
    .updateTable('factor_resets')
    .set({ warned_at: sql`now()`, token_hashes: sql`token_hashes || ${token_hash}::bytea` })
    .where('id', '=', id)
    .execute()
}

/** Ends the open reset of an account; false if none is open. It is one statement: only one of a veto and the due job succeeds. */
export async function endReset(
  tx: Tx,
  of: { user_id: string; id?: string; keepsMerge?: boolean },
  status: 'vetoed' | 'cancelled',
): Promise<boolean> {
  const { user_id, id, keepsMerge } = of
  const ended = tx
    .updateTable('factor_resets')
    .set({ status, ended_at: sql`now()` })
    .where('user_id', '=', user_id)
    .where('status', '=', 'requested')
    .$if(keepsMerge === true, (query) => query.where('merge_into', 'is', null))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
  return (await ended.executeTakeFirst()).numUpdatedRows === 1n
}

/** Completes a reset that is due by the clock of the database; undefined if it is not due or no longer open. */
export async function completeReset(tx: Tx, id: string): Promise<ResetRow | undefined> {
  return tx
    .updateTable('factor_resets')
    .set({ status: 'done', ended_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'requested')
    .where('due_at', '<=', sql<Date>`now()`)
    .returning(columns)
    .executeTakeFirst()
}

/** Returns all resets of an account, the latest first. */
export async function resetsOf(
  db: App['db'],
  user_id: string,
): Promise<{ requested_at: Date; due_at: Date; ended_at: Date | null; status: string }[]> {
  return db
    .selectFrom('factor_resets')
    .select(['requested_at', 'due_at', 'ended_at', 'status'])
    .where('user_id', '=', user_id)
    .orderBy('requested_at', 'desc')
    .execute()
}

/** Returns the ids of open resets that are so late that their job must be lost. */
export async function overdueResets(db: App['db'], late_s: number): Promise<string[]> {
  const rows = await db
    .selectFrom('factor_resets')
    .select('id')
    .where('status', '=', 'requested')
    .where('due_at', '<', sql<Date>`now() - make_interval(secs => ${late_s})`)
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}
