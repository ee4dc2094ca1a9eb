import type { Act } from '#texts/acts.js'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as queries from './queries.ts'

export { addressesOfOneBrowser, hasSignedInFrom, isNewDevice, recordAction } from './queries.ts'
export { auditBefore, summedAuditBefore, type AuditFilter, type AuditRow } from './read-queries.ts'

export type Origin = { ip: string; user_agent: string; request_id: string }

/** Address, browser and request of an action, taken from its caller, for `recordAction`. */
export const originOf = ({ ip, user_agent, request_id }: Origin): Origin => ({ ip, user_agent, request_id })

/** Records a refused action (rule 44), in a transaction of its own: the transaction of the refused action is rolled back. */
export async function recordRefusedAction(
  app: App,
  caller: Origin,
  refused: { user_id: string | null; act: Act; detail?: Record<string, unknown> },
): Promise<void> {
  await transaction(app, 'system', (tx) => queries.recordAction(tx, { ...refused, ...originOf(caller) }))
}
