import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type When = { run_at?: Date; after_s?: number; key?: string; max_attempts?: number }

export async function addJob(
  tx: Tx,
  name: string,
  payload: Record<string, unknown>,
  when: When,
): Promise<void> {
  const { run_at = null, after_s = 0, key = null, max_attempts = null } = when
  await sql`select enqueue_job(${name}, ${JSON.stringify(payload)}::jsonb,
    coalesce(${run_at}::timestamptz, now() + make_interval(secs => ${after_s})), ${key}, ${max_attempts}::integer)`.execute(
    tx,
  )
}
