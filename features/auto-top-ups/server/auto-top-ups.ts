import type { App } from '#foundation/server/app.ts'
import { coverDays, noticeDays } from '#features/auto-top-ups/rules.ts'
import type { NamedMethod } from '#features/methods/texts.ts'
import { isUsable, methodWithId } from '#features/methods/server/methods.ts'
import { autoTopUpOf } from './queries.ts'
import { openRunOf } from './run-queries.ts'

export { fillBalance } from './begin.ts'
export { declineRun } from './ends.ts'
export { accountsDue, lookLater, lookNow, putAutoTopUp } from './queries.ts'
export { pauseForOperator } from './staff.ts'
export { autoTopUpReply } from './replies.ts'
export { pageOfRuns } from './runs.ts'
export { insertRun, openRunOf } from './run-queries.ts'

const DAY_MS = 86_400_000

/** A charge that a customer is told of before: the method, and the day from which it may be charged. */
export type PlannedCharge = { method: NamedMethod; at: Date }

/** Returns what will be charged for a renewal that the balance does not cover; undefined if nothing will. */
export async function plannedCharge(
  db: App['db'],
  { user_id, due_at, now }: { user_id: string; due_at: Date; now: Date },
): Promise<PlannedCharge | undefined> {
  const row = await autoTopUpOf(db, user_id)
  if (row?.state !== 'active' || row.kind !== 'cover' || row.reason !== '') return undefined
  const method = await methodWithId(db, row.method_id)
  if (!method || !isUsable(method)) return undefined
  const open = await openRunOf(db, user_id)
  // After a decline nothing is charged before the next try.
  const from = row.declines > 0 && row.look_at > now ? row.look_at : now
  const earliest = Math.max(due_at.getTime() - coverDays(method.kind) * DAY_MS, from.getTime())
  const at = open?.charge_at ?? new Date(earliest + noticeDays(method.kind) * DAY_MS)
  const { kind, brand, last4 } = method
  return { method: { kind, brand, last4 }, at }
}
