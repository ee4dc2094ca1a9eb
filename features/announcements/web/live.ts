import { ANNOUNCEMENT_CHANGED, listAnnouncements } from '#features/announcements/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [[ANNOUNCEMENT_CHANGED, () => refreshQueries(listAnnouncements)]]
