import { EXPORTS_CHANGED, listExports } from '#features/books/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [[EXPORTS_CHANGED, () => refreshQueries(listExports)]]
