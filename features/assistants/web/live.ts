import { listProposals, PROPOSALS_CHANGED } from '#features/assistants/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [[PROPOSALS_CHANGED, () => refreshQueries(listProposals)]]
