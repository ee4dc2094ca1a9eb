import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type DemoAlert = { since: Date; opened_at: Date; closed_at: Date | null }

/** Adds an alert about a silent server, of which its owner was told. Runs as the owner of the tables, as history-queries.ts. */
export async function insertAlert(
  tx: Tx,
  host: { id: bigint; user_id: string },
  { since, opened_at, closed_at }: DemoAlert,
): Promise<void> {
  await sql`
    insert into alert_incidents (host_id, user_id, kind, since, opened_at, closed_at, opening_told_at, closing_told_at)
    values (${host.id}::bigint, ${host.user_id}::uuid, 'offline', ${since}, ${opened_at}, ${closed_at}, ${opened_at}, ${closed_at})`.execute(
    tx,
  )
}
