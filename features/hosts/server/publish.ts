import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish, type Audience } from '#foundation/server/realtime/publish.ts'
import { HOST_CHANGED, seeHosts } from '#features/hosts/contract.ts'

/** The helpers who receive the events of a server: their grant opens the server. */
export const hostAudience = (host_id: string): Audience => ({ roles: seeHosts.roles, host_id })

/** Publishes a changed host to the open pages of its owner and of helpers. */
export const publishHostChanged = (tx: Tx, user_id: string, host_id: string): Promise<void> =>
  publish(tx, user_id, { type: HOST_CHANGED, host_id }, hostAudience(host_id))
