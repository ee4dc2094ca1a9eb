import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AgentReport } from './agent-queries.ts'
import { recordAlerts } from './alert-reply.ts'
import { closeAlerts, openFull } from './alert-turn-queries.ts'

/**
 * Opens and closes alerts by check-ins, whose rows are locked. A check-in that changes nothing costs no statement. Returns the public ids of
 * the servers with an alert that was opened or closed.
 */
export async function turnAlerts(tx: Tx, reports: readonly AgentReport[]): Promise<Set<string>> {
  const changed = []
  const full = reports.filter(({ disk_turn }) => disk_turn === 'opens')
  if (full.length > 0)
    changed.push(
      ...(await openFull(
        tx,
        full.map(({ host_id }) => host_id),
      )),
    )
  const free = reports.filter(({ disk_turn }) => disk_turn === 'closes')
  if (free.length > 0)
    changed.push(
      ...(await closeAlerts(
        tx,
        'disk',
        free.map(({ host_id, disk_peak, disk_mount }) => ({ host_id, peak: disk_peak, mount: disk_mount })),
      )),
    )
  const back = reports.filter(({ is_back }) => is_back)
  if (back.length > 0)
    changed.push(
      ...(await closeAlerts(
        tx,
        'offline',
        back.map(({ host_id }) => ({ host_id, peak: null, mount: null })),
      )),
    )
  recordAlerts(tx, changed)
  return new Set(changed.map(({ host_id }) => host_id))
}
