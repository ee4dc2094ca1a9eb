import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { listMachines } from '#features/licences/machines.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [[HOST_CHANGED, () => refreshQueries(listMachines)]]
