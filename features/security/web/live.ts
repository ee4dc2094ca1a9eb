import { SESSION_ENDED } from '#foundation/session-contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { listActivity, listDevices } from '#features/security/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

export const live: readonly LiveReaction[] = [
  [
    SESSION_ENDED,
    () => {
      refreshQueries(listDevices)
      refreshQueries(listActivity)
    },
  ],
  // Each action of staff on an account publishes it.
  [PROFILE_CHANGED, () => refreshQueries(listActivity)],
]
