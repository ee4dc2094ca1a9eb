import { lockHostById, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Step } from '#features/licences/rules.ts'
import { runtimeOf } from '#features/licences/server/licences.ts'
import { stepsDue } from '#features/licences/server/licences.ts'
import { scheduleOf, type RenewalSchedule } from '#features/licences/server/licences.ts'

/** The state of a host's licence at this moment, by the database's clock; its row is locked. */
export type RenewalState = {
  host: HostRow
  watch: RenewalSchedule
  now: Date
  due: Step[]
  /** Another plan that was paid for has begun, and no mail has announced it yet. */
  hasOtherPlan: boolean
}

/** Locks the host and reads its state; undefined for a host that is deleted or was never paid. */
export async function loadRenewalState(tx: Tx, host_id: bigint): Promise<RenewalState | undefined> {
  const host = await lockHostById(tx, host_id)
  const watch = host && (await scheduleOf(tx, host_id))
  if (!watch) return undefined
  const { now } = await runtimeOf(tx, host_id)
  const hasOtherPlan = watch.plan_changes_at !== null && watch.plan_changes_at <= now
  return { host, watch, now, due: stepsDue(watch, now), hasOtherPlan }
}
