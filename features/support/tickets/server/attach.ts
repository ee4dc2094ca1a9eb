import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import type * as contract from '#features/support/tickets/contract.ts'
import { bind, keptAndExtra, type AttachmentRow, type Binding } from './attachment-queries.ts'

/**
 * Ties the uploaded files of a message to its ticket, and returns them in the message's order. Throws 400 `unknown_attachment` if one of
 * them is no longer available, or is named twice.
 */
export async function attach(app: App, tx: Tx, binding: Binding): Promise<contract.Attachment[]> {
  const { ids, by_helper, customer_id } = binding
  if (ids.length === 0) return []
  const rows = await bind(tx, binding)
  // Rule 42: the files of a helper count towards the customer's quota. Otherwise two accounts together could fill the disk.
  if (by_helper) assertFits(app, await keptAndExtra(tx, customer_id))
  if (rows.length !== ids.length) throw badRequest('unknown_attachment', 'attachment_ids')
  return rows
    .toSorted((one, other) => ids.indexOf(one.public_id) - ids.indexOf(other.public_id))
    .map(toAttachmentReply)
}

/**
 * Throws 413 `quota_exceeded` above the quota of an account (rule 42). The attack is an account that fills the disk, which the database
 * shares.
 */
export function assertFits({ config }: App, { kept, extra }: { kept: number; extra: number }): void {
  if (kept > config.storagePerCustomer + extra) throw new HttpError(413, [{ code: 'quota_exceeded' }])
}

export const toAttachmentReply = (row: AttachmentRow): contract.Attachment => ({
  id: row.public_id,
  name: row.name,
  type: row.type,
  size: Number(row.size),
  preview:
    row.preview_width === null || row.preview_height === null
      ? null
      : { width: row.preview_width, height: row.preview_height },
})
