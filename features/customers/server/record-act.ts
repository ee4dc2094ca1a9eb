import type { Act } from '#texts/acts.js'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'

type ActOnCustomer = {
  user_id: string
  actor: Actor
  caller: Caller
  act: Act
  reason: string
  detail?: Record<string, unknown>
}

/** Writes an action of staff on a customer into the audit, and notifies the pages of staff and of the customer. */
export async function recordAct(
  tx: Tx,
  { user_id, actor, caller, act, reason, detail }: ActOnCustomer,
): Promise<void> {
  await recordAction(tx, {
    user_id,
    act,
    ...originOf(caller),
    detail: { by: actor.user_id, reason, ...detail },
  })
  await publish(tx, user_id, { type: PROFILE_CHANGED })
  await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
}
