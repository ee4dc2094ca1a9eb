import { event } from '#foundation/contract.ts'
import type { Approval } from './queries.ts'

/** An approval was proposed, or left that state for another one. */
export const approvalChanged = event<Approval>('approvals.changed')

/** Something that needs a second person was done without one, by a member or (null) by the command line. */
export const doneAlone = event<{
  act: string
  customer_id: string | null
  /** Null where it was no money. */
  amount: bigint | null
  reason: string
  by: string | null
}>('approvals.done_alone')
