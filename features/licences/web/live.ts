import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { listPaidPeriods, listPlans } from '#features/licences/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

/**
 * A host changed: perhaps it renewed itself, or was paid in another tab. Only a history that is in sight is asked anew.
 * A profile changed: by another country the same plans cost something else (rule 46).
 */
export const live: readonly LiveReaction[] = [
  [HOST_CHANGED, () => refreshQueries(listPaidPeriods)],
  [PROFILE_CHANGED, () => refreshQueries(listPlans)],
]
