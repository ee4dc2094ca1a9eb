import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { refreshFinances } from './hooks.ts'

export const live: readonly LiveReaction[] = [
  [
    BALANCE_CHANGED,
    () => {
      refreshFinances()
      // The activity is loaded again too, because it says who moved the money, and why.
      refreshQueries(listActivity)
    },
  ],
]
