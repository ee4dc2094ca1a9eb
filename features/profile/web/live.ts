import { getProfile, PROFILE_CHANGED } from '#features/profile/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { tabId } from '#foundation/web/api/request.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** A save of this page is in the cache already, by its answer. */
export const live: readonly LiveReaction[] = [
  [PROFILE_CHANGED, ({ tab }) => tab !== tabId && refreshQueries(getProfile)],
]
