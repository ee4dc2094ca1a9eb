import { sql } from 'kysely'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type NewSuspension = {
  host_id: bigint
  user_id: string
  reason: SuspensionReason
  text_public: string
  text_internal: string
  suspended_by: string | null
}

/** False, with nothing written, where the host has one. The caller has locked the host. */
export async function insertSuspension(tx: Tx, suspension: NewSuspension): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values(suspension)
    .onConflict((conflict) => conflict.column('host_id').where('lifted_at', 'is', null).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

const lifted = (lifted_by: string | null) => ({ lifted_at: sql<Date>`clock_timestamp()`, lifted_by })

/** False where there is none. */
export async function liftSuspension(tx: Tx, host_id: bigint, lifted_by: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('suspensions')
    .set(lifted(lifted_by))
    .where('host_id', '=', host_id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type SuspensionRow = Pick<NewSuspension, 'reason' | 'text_public'> & {
  starts_at: Date
  lifted_at: Date | null
}

/** Of all times, the latest first, for the copy of a customer's data. */
export async function suspensionsOf(db: App['db'], user_id: string): Promise<SuspensionRow[]> {
  return db
    .selectFrom('suspensions')
    .select(['reason', 'text_public', 'starts_at', 'lifted_at'])
    .where('user_id', '=', user_id)
    .orderBy('starts_at', 'desc')
    .$narrowType<{ reason: SuspensionReason }>()
    .execute()
}
