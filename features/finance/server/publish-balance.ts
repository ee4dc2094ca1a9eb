import { seeMoney } from '#foundation/capability.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { publishing } from '#foundation/server/realtime/publishing-job.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'

export const PUBLISH_BALANCE = jobKind('tell_balance', 'rest')

/**
 * Publishes to the customer's open pages that the balance changed. It may publish only the last of several changes
 * in a row.
 */
export const publishBalance = publishing(PUBLISH_BALANCE, ({ user_id }: { user_id: string }) => ({
  user_id,
  event: { type: BALANCE_CHANGED },
  audience: seeMoney,
}))
