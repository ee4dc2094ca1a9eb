import { AGREEMENT_CHANGED, getAgreement, listAgreements } from '#features/payers/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** An agreement was offered, accepted, changed or ended. */
export const live: readonly LiveReaction[] = [
  [
    AGREEMENT_CHANGED,
    () => {
      refreshQueries(listAgreements)
      refreshQueries(getAgreement)
    },
  ],
]
