import { getProfile, PROFILE_CHANGED } from '#features/profile/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { tabId } from '#foundation/web/api/request.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** The tab that saved the profile is skipped: the answer has already updated its cache. */
export const live: readonly LiveReaction[] = [
  [PROFILE_CHANGED, ({ tab }) => tab !== tabId && refreshQueries(getProfile)],
]
