import type { Act } from '#texts/acts.js'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import { nameOf, type Who } from './who.ts'

type ActOnCustomer = {
  user_id: string
  who: Who
  act: Act
  reason: string
  detail?: Record<string, unknown>
}

/** Writes an action on a customer into the audit, and notifies the pages of staff and of the customer. */
export async function recordAct(tx: Tx, { user_id, who, act, reason, detail }: ActOnCustomer): Promise<void> {
  await recordAction(tx, { user_id, act, ...who.origin, detail: { by: nameOf(who), reason, ...detail } })
  await publish(tx, user_id, { type: PROFILE_CHANGED })
  await publish(tx, user_id, { type: ACTIVITY_ADDED })
  await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
}
