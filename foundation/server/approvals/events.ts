import { event } from '#foundation/contract.ts'
import type { Approval } from './queries.ts'

/** An approval was proposed, or left that state for another one. */
export const approvalChanged = event<Approval>('approvals.changed')

/** Something above an allowance was done without a second person, by a member or (null) by the command line. */
export const doneAlone = event<{
  act: string
  customer_id: string
  amount: bigint
  reason: string
  by: string | null
}>('approvals.done_alone')
