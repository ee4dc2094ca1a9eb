import { SESSION_ENDED } from '#foundation/session-contract.ts'
import { ACTIVITY_ADDED, listActivity, listDevices } from '#features/security/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [
  [
    SESSION_ENDED,
    () => {
      refreshQueries(listDevices)
      refreshQueries(listActivity)
    },
  ],
  [ACTIVITY_ADDED, () => refreshQueries(listActivity)],
]
