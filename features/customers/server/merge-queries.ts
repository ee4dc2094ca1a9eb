import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MovedBalance } from '#features/finance/server/finance.ts'

/** The time within which a merge is undone. */
const UNDO_DAYS = 7

export type MergeRow = {
  id: string
  /** The account that was merged, and the account that stays. */
  user_id: string
  into_id: string
  reason: string
  merged_at: Date
  host_ids: bigint[]
  ticket_ids: bigint[]
  money: MovedBalance
  undo_until: Date
  /** True while it may be undone, by the clock of the database. */
  is_open: boolean
}

type NewMerge = Pick<MergeRow, 'user_id' | 'into_id' | 'reason' | 'host_ids' | 'ticket_ids' | 'money'>

export async function insertMerge(tx: Tx, row: NewMerge): Promise<void> {
  await tx
    .insertInto('account_merges')
    .values({ ...row, money: JSON.stringify(row.money) })
    .execute()
}

/** Returns the merge of this account that was not undone; undefined for an account that stands for itself. */
export async function mergeOf(db: App['db'], user_id: string): Promise<MergeRow | undefined> {
  const { rows } = await sql<MergeRow>`
    select id, user_id, into_id, reason, merged_at, host_ids, ticket_ids, money,
      merged_at + make_interval(days => ${UNDO_DAYS}) as undo_until,
      merged_at > clock_timestamp() - make_interval(days => ${UNDO_DAYS}) as is_open
    from account_merges where user_id = ${user_id}::uuid and undone_at is null`.execute(db)
  return rows[0]
}

/** The accounts that were merged into others. */
export async function mergedAccountIds(db: App['db']): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from account_merges where undone_at is null`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Returns the id of the account that stays, for an account that was merged into it. */
export async function mergedInto(db: App['db'], user_id: string): Promise<string | undefined> {
  return (await mergeOf(db, user_id))?.into_id
}

type MergedRow = Pick<MergeRow, 'user_id' | 'merged_at' | 'is_open'>

/** Returns the merges into this account that were not undone, the newest first. */
export async function mergesInto(db: App['db'], into_id: string): Promise<MergedRow[]> {
  const { rows } = await sql<MergedRow>`
    select user_id, merged_at, merged_at > clock_timestamp() - make_interval(days => ${UNDO_DAYS}) as is_open
    from account_merges where into_id = ${into_id}::uuid and undone_at is null order by merged_at desc, id`.execute(
    db,
  )
  return rows
}

/** Notes that a merge was undone. Returns false where that was done before: of two who undo it at once one succeeds. */
export async function endMerge(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update account_merges set undone_at = clock_timestamp() where id = ${id}::uuid and undone_at is null returning id`.execute(
    tx,
  )
  return rows.length > 0
}
