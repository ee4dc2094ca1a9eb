import type { Tx } from '#foundation/server/database/transaction.ts'
import * as queries from './queries.ts'
import type { HostRow } from './queries.ts'
import { recordUpdated } from './record-events.ts'

type Changed = Pick<HostRow, 'id' | 'user_id' | 'public_id'>

/** Switches the automatic renewal of a server, and records it. */
export async function setAutoRenew(tx: Tx, host: Changed, auto_renew: boolean): Promise<void> {
  await queries.setAutoRenew(tx, host.id, auto_renew)
  recordUpdated(tx, host)
}

/** Names a server anew, and records it. */
export async function rename(tx: Tx, host: Changed, name: string): Promise<void> {
  await queries.setName(tx, host.id, name)
  recordUpdated(tx, host)
}
