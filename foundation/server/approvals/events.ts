import { event } from '#foundation/contract.ts'
import type { Approval } from './queries.ts'

/** An approval was proposed, or its proposal ended: approved, refused, withdrawn, failed or expired. */
export const approvalChanged = event<Approval>('approvals.changed')

/** An action that needs a second person was done without one, by a member or by the command line (`by` is null). */
export const doneAlone = event<{
  act: string
  customer_id: string | null
  /** Minor units; null where no money moved. */
  amount: bigint | null
  reason: string
  by: string | null
}>('approvals.done_alone')
