import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Cause, Level } from '#features/customers/rules.ts'

export type BlockRow = {
  level: Level
  cause: Cause | null
  reason: string
  message: string
  by: string | null
  at: Date
}

/** Returns the latest decision to block, lock or open an account; undefined if there never was one. */
export async function latestBlock(db: App['db'], user_id: string): Promise<BlockRow | undefined> {
  return db
    .selectFrom('customer_blocks')
    .select(['level', 'cause', 'reason', 'message', 'by', 'at'])
    .where('user_id', '=', user_id)
    .orderBy('at', 'desc')
    .limit(1)
    .$narrowType<{ level: Level; cause: Cause | null }>()
    .executeTakeFirst()
}

/** Returns all decisions to block, lock or open an account, the latest first. */
export async function blocksOf(db: App['db'], user_id: string): Promise<BlockRow[]> {
  return db
    .selectFrom('customer_blocks')
    .select(['level', 'cause', 'reason', 'message', 'by', 'at'])
    .where('user_id', '=', user_id)
    .orderBy('at', 'desc')
    .$narrowType<{ level: Level; cause: Cause | null }>()
    .execute()
}

export async function insertBlock(tx: Tx, row: Omit<BlockRow, 'at'> & { user_id: string }): Promise<void> {
  await tx.insertInto('customer_blocks').values(row).execute()
}
