import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Treatment } from '#features/invoices/rules.ts'
import type { OverrideRow } from './vat-evidence-queries.ts'

type Db = App['db']

export async function insertOverride(
  tx: Tx,
  row: Omit<OverrideRow, 'id' | 'place'> & {
    place?: string
    user_id: string
    reason: string
    by: string | null
  },
): Promise<void> {
  await tx.insertInto('vat_overrides').values(row).execute()
}

type FullOverride = OverrideRow & { reason: string; by: string | null; at: Date }

export async function latestOverride(db: Db, user_id: string): Promise<FullOverride | undefined> {
  return db
    .selectFrom('vat_overrides')
    .select(['id', 'treatment', 'vat_id', 'place', 'valid_until', 'reason', 'by', 'at'])
    .where('user_id', '=', user_id)
    .orderBy('at', 'desc')
    .limit(1)
    .$narrowType<{ treatment: Treatment }>()
    .executeTakeFirst()
}
