import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind } from '#foundation/contract.ts'
import type { attaching } from '#features/support/tickets/contract.ts'
import * as queries from './file-queries.ts'
import { toAttachmentReply } from './files.ts'

type Attaching = typeof attaching extends EventKind<infer Payload> ? Payload : never

/** Ties the files that a message names to its ticket, in the message's order; those that cannot be tied are not named. */
export async function attach(_app: App, tx: Tx, { ids, add, ...binding }: Attaching): Promise<void> {
  const rows = await queries.bind(tx, { ids, ...binding })
  const byId = new Map(rows.map((row) => [row.public_id, row]))
  for (const id of ids) {
    const row = byId.get(id)
    if (row) add(toAttachmentReply(row))
    byId.delete(id)
  }
}
