import * as z from 'zod/mini'
import { capability } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { approval } from './contract.ts'

/** An approval as the operator's programs read it: without what depends on the reader. */
export const approvalRequested = published('approval.requested', {
  summary: 'A member of staff asked for an act that a second person has to confirm.',
  data: z.pick(approval, {
    id: true,
    act: true,
    why: true,
    amount: true,
    reason: true,
    proposed_at: true,
    expires_at: true,
  }),
  opens: capability('events.of_operator', []),
  isForOperator: true,
})
