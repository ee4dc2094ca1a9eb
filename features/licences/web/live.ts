import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { listPaidPeriods, listPlans } from '#features/licences/contract.ts'
import { listMachines } from '#features/licences/machines.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/**
 * A changed host may have been renewed automatically, or been paid in another tab; its history is loaded again
 * if it is visible. A changed profile may have another country, with another VAT on the same plans (rule 46).
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
