import { listPaidPeriods } from '#features/licences/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

/** A host changed: perhaps it renewed itself, or was paid in another tab. Only a history that is in sight is asked anew. */
export const live: readonly LiveReaction[] = [['host.changed', () => refreshQueries(listPaidPeriods)]]
