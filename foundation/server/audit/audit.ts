import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import * as queries from './queries.ts'

export { hasSignedInFrom, isNewDevice, recordAction } from './queries.ts'

/** Address, browser and request of an act, for `recordAction`. */
export const originOf = ({ ip, user_agent, request_id }: Caller) => ({ ip, user_agent, request_id })

/** Keeps what was refused (rule 44), in a transaction of its own: the one that refused is rolled back. */
export async function recordRefusedAction(
  app: App,
  caller: Caller,
  refused: { user_id: string | null; act: string; detail?: Record<string, unknown> },
): Promise<void> {
  await transaction(app, 'system', (tx) => queries.recordAction(tx, { ...refused, ...originOf(caller) }))
}
