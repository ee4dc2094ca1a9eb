import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * Returns the number of bytes that count towards the quota of an account, and the bytes that staff have added to the quota. Every committed transaction is counted, also if several add files
 * at once.
 */
export async function keptAndExtra(db: App['db'], user_id: string): Promise<{ kept: number; extra: number }> {
  const row = await db
    .selectFrom('kept_bytes')
    .select(['bytes', 'extra_bytes'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return { kept: Number(row?.bytes ?? 0), extra: Number(row?.extra_bytes ?? 0) }
}

/** Lets an account keep so many bytes more than STORAGE_PER_CUSTOMER. */
export async function setExtraBytes(tx: Tx, user_id: string, extra_bytes: number): Promise<void> {
  await tx
    .insertInto('kept_bytes')
    .values({ user_id, bytes: 0, extra_bytes })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ extra_bytes }))
    .execute()
}
