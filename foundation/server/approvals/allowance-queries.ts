import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Returns the amounts (minor units) that a member moved alone within 24 hours, summed by act. */
export async function usedToday(db: App['db'], user_id: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ act: string; used: bigint }>`
    select act, sum(amount)::bigint as used from allowance_uses
    where user_id = ${user_id} and at > now() - interval '24 hours' group by act`.execute(db)
  return new Map(rows.map(({ act, used }) => [act, used]))
}

export async function insertUse(
  tx: Tx,
  use: { user_id: string; act: string; amount: bigint },
): Promise<void> {
  await tx.insertInto('allowance_uses').values(use).execute()
}
