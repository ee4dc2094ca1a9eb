import { sql } from 'kysely'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import { keptAccount } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type NewSuspension = {
  host_id: bigint
  user_id: string
  reason: SuspensionReason
  text_public: string
  text_internal: string
  suspended_by: string | null
}

/** Returns false, with nothing written, if the host is already suspended. The caller has locked the host. */
export async function insertSuspension(tx: Tx, suspension: NewSuspension): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values(suspension)
    .onConflict((conflict) => conflict.column('host_id').where('lifted_at', 'is', null).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

const lifted = (lifted_by: string | null) => ({ lifted_at: sql<Date>`clock_timestamp()`, lifted_by })

/** Returns false if the host is not suspended. */
export async function liftSuspension(tx: Tx, host_id: bigint, lifted_by: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('suspensions')
    .set(lifted(lifted_by))
    .where('host_id', '=', host_id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Suspends, for a debt, the hosts that are not suspended yet, and returns these. The caller has locked the hosts. */
export async function suspendForDebt(
  tx: Tx,
  { id: debt_id, user_id }: { id: string; user_id: string },
  host_ids: readonly bigint[],
  said: Pick<NewSuspension, 'reason' | 'text_public' | 'text_internal'>,
): Promise<bigint[]> {
  if (host_ids.length === 0) return []
  const rows = await tx
    .insertInto('suspensions')
    .values(host_ids.map((host_id) => ({ ...said, host_id, user_id, debt_id })))
    .onConflict((conflict) => conflict.column('host_id').where('lifted_at', 'is', null).doNothing())
    .returning('host_id')
    .execute()
  return rows.map(({ host_id }) => host_id)
}

/** Lifts the suspensions that the system made for a debt, and none that a person made; returns the hosts. */
export async function liftForDebt(tx: Tx, debt_id: string): Promise<bigint[]> {
  const rows = await tx
    .updateTable('suspensions')
    .set(lifted(null))
    .where('debt_id', '=', debt_id)
    .where('lifted_at', 'is', null)
    .returning('host_id')
    .execute()
  return rows.map(({ host_id }) => host_id)
}

/** The hosts of this list that have time ahead for which this account paid, or one that was merged into it. */
export async function paidHosts(tx: Tx, payer_id: string, host_ids: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select w.id from unnest(${host_ids.map(String)}::bigint[]) as w (id) where exists (
      select from paid_periods p where p.host_id = w.id and p.ends_at > clock_timestamp() and p.ends_at > p.starts_at
        and ${keptAccount(sql`p.payer_id`)} = ${payer_id})
    order by w.id`.execute(tx)
  return rows.map(({ id }) => id)
}

type SuspensionRow = Pick<NewSuspension, 'reason' | 'text_public'> & {
  starts_at: Date
  lifted_at: Date | null
}

/** The suspensions of a customer's hosts, in force and lifted, the latest first: for the copy of their data. */
export async function suspensionsOf(db: App['db'], user_id: string): Promise<SuspensionRow[]> {
  return db
    .selectFrom('suspensions')
    .select(['reason', 'text_public', 'starts_at', 'lifted_at'])
    .where('user_id', '=', user_id)
    .orderBy('starts_at', 'desc')
    .$narrowType<{ reason: SuspensionReason }>()
    .execute()
}
