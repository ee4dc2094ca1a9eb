import { sql, type Selectable } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Attachments } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { UNUSED_HOURS } from '#features/support/tickets/rules.ts'

export type AttachmentRow = Selectable<Attachments>

export type Binding = {
  ids: readonly string[]
  uploader_id: string
  customer_id: string
  ticket_id: bigint
  note: boolean
  by_helper: boolean
}

/**
 * Ties files to a ticket, but only the uploader's own files that no message uses and that are not about to be swept. If two messages name
 * the same file, the second one finds the file taken. Returns the files that were tied, in no order.
 */
export async function bind(
  tx: Tx,
  { ids, uploader_id, customer_id, ticket_id, note, by_helper }: Binding,
): Promise<AttachmentRow[]> {
  return tx
    .updateTable('attachments')
    .set({ ticket_id, user_id: customer_id, note, ...(by_helper && { uploader_id: customer_id }) })
    .where('public_id', 'in', [...ids])
    .where('uploader_id', '=', uploader_id)
    .where('ticket_id', 'is', null)
    .where('created_at', '>', unusedUntil)
    .returningAll()
    .execute()
}

/** A file that is older and that no message uses is about to be swept. */
export const unusedUntil = sql<Date>`now() - make_interval(hours => ${UNUSED_HOURS})`

/**
 * Returns the number of bytes that count towards the quota of an account, and the bytes that staff have added to the quota. Every committed
 * transaction is counted, also if several add files at once.
 */
export async function keptAndExtra(db: App['db'], user_id: string): Promise<{ kept: number; extra: number }> {
  const row = await db
    .selectFrom('kept_bytes')
    .select(['bytes', 'extra_bytes'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return { kept: Number(row?.bytes ?? 0), extra: Number(row?.extra_bytes ?? 0) }
}
