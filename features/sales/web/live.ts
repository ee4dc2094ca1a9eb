import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { refreshCheckouts } from './checkout-hooks.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/**
 * A changed host may have been renewed automatically, or been paid in another tab; its history is loaded again
 * if it is visible. A changed balance may have paid an order. A changed profile may have another country, with another VAT on the same plans (rule 46).
 */
export const live: readonly LiveReaction[] = [
  [HOST_CHANGED, () => refreshQueries(listPaidPeriods)],
  [BALANCE_CHANGED, refreshCheckouts],
  [PROFILE_CHANGED, () => refreshQueries(listPlans)],
]
