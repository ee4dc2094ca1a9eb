import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Alert } from '#features/hosts/alert-contract.ts'
import { alertClosed, alertOpened } from '#features/hosts/event-contract.ts'
import type { AlertRow } from './alert-turn-queries.ts'

/** An alert as its owner sees it. */
export const alertReply = (row: AlertRow): Alert => ({
  id: row.public_id,
  kind: row.kind,
  host: { id: row.host_id, name: row.host_name },
  since: row.since.toISOString(),
  opened_at: row.opened_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
  mount: row.mount,
  peak: row.peak === null ? null : Math.round(row.peak * 10) / 10,
})

/** Records that alerts opened or closed, for the programs of their owners. */
export function recordAlerts(tx: Tx, alerts: readonly AlertRow[]): void {
  for (const row of alerts) {
    const kind = row.closed_at ? alertClosed : alertOpened
    record(tx, row.user_id, kind, alertReply(row), { host: row.host_id })
  }
}
