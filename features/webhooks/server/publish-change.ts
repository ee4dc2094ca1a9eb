import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { STAFF_WEBHOOKS_CHANGED, WEBHOOKS_CHANGED } from '#features/webhooks/contract.ts'
import type { Owner } from './queries.ts'

/** Tells the open pages of the owner that an endpoint changed. */
export const publishChange = (tx: Tx, owner: Owner): Promise<void> =>
  owner === null
    ? publishToStaff(tx, { type: STAFF_WEBHOOKS_CHANGED })
    : publish(tx, owner, { type: WEBHOOKS_CHANGED })
