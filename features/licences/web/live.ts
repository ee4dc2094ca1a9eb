import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { listPaidPeriods, listPlans } from '#features/licences/contract.ts'
import { listMachines } from '#features/licences/machines.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/**
 * A host changed: it may have renewed itself, or been paid in another tab. Only a visible history is loaded
 * again. A profile changed: with another country the same plans cost another amount (rule 46).
 */
export const live: readonly LiveReaction[] = [
  [
    HOST_CHANGED,
    () => {
      for (const route of [listPaidPeriods, listMachines]) refreshQueries(route)
    },
  ],
  [PROFILE_CHANGED, () => refreshQueries(listPlans)],
]
