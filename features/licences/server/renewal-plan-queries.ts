import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export async function putRenewalPlan(
  tx: Tx,
  { host_id, user_id, plan }: { host_id: bigint; user_id: string; plan: string },
): Promise<void> {
  await sql`
    insert into licence_settings (host_id, user_id, renewal_plan) values (${host_id}, ${user_id}, ${plan})
    on conflict (host_id) do update set renewal_plan = excluded.renewal_plan, chosen_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Forgets the choice of a plan for the end: the licence then goes on with the plan of its last period. */
export async function forgetRenewalPlan(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('licence_settings').where('host_id', '=', host_id).execute()
}
