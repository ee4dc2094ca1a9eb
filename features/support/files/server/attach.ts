import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind } from '#foundation/contract.ts'
import type { attaching } from '#features/support/tickets/contract.ts'
import * as queries from './file-queries.ts'
import { assertFits, toAttachmentReply } from './files.ts'
import { keptAndExtra } from './storage-queries.ts'

type Attaching = typeof attaching extends EventKind<infer Payload> ? Payload : never

/**
 * Ties the files that a message names to its ticket, and passes them to `add` in the message's order. Files that cannot be tied are left
 * out.
 */
export async function attach(app: App, tx: Tx, { ids, add, ...binding }: Attaching): Promise<void> {
  const rows = await queries.bind(tx, { ids, ...binding })
  // Rule 42: the files of a helper count towards the customer's quota. Otherwise two accounts together could fill the disk.
  if (binding.by_helper) assertFits(app, await keptAndExtra(tx, binding.customer_id))
  const byId = new Map(rows.map((row) => [row.public_id, row]))
  for (const id of ids) {
    const row = byId.get(id)
    if (row) add(toAttachmentReply(row))
    byId.delete(id)
  }
}
