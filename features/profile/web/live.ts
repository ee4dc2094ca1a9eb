import { getProfile } from '#features/profile/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

export const live: readonly LiveReaction[] = [['profile.changed', () => refreshQueries(getProfile)]]
