import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { unusedUntil, type AttachmentRow } from '#features/support/tickets/server/tickets.ts'

type Db = Kysely<Database>

export type NewAttachment = {
  public_id: string
  /** The account whose quota the file counts towards: the uploader's, or the one for which a helper or a token uploads it. */
  user_id: string
  uploader_id: string
  name: string
  type: string
  size: number
  sha256: Buffer
  preview_width: number | null
  preview_height: number | null
}

export async function insertAttachment(tx: Tx, row: NewAttachment): Promise<AttachmentRow> {
  return tx
    .insertInto('attachments')
    .values({ ...row, size: BigInt(row.size) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the number of bytes in files that a user has uploaded and no message uses yet. */
export async function unusedBytes(db: Db, uploader_id: string): Promise<number> {
  const { sum } = await db
    .selectFrom('attachments')
    .select((eb) => eb.fn.sum<string | null>('size').as('sum'))
    .where('uploader_id', '=', uploader_id)
    .where('ticket_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Returns the ticket of a file, for its customer's side; undefined for a file of a note, and for a file that is in no ticket yet. */
export async function ticketOfFile(db: Db, public_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ chat_id: string }>`
    select t.public_id as chat_id from attachments a join tickets t on t.id = a.ticket_id
    where a.public_id = ${public_id} and not a.note`.execute(db)
  return rows[0]?.chat_id
}

/** Returns the number of bytes that count towards the quotas of all accounts together. */
export async function keptBytesOfAll(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('kept_bytes')
    .select((eb) => eb.fn.sum<string | null>('bytes').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/**
 * Returns a file if this reader may have it (rule 25). Before a message uses the file, only its uploader may; afterwards
 * all who may open the ticket may. A file of a note is only for staff who are not the ticket's customer themselves.
 */
export async function attachmentFor(
  db: Db,
  public_id: string,
  { user_id, is_staff }: { user_id: string; is_staff: boolean },
): Promise<AttachmentRow | undefined> {
  return db
    .selectFrom('attachments')
    .selectAll()
    .where('public_id', '=', public_id)
    .where((eb) =>
      eb.or([
        eb.and([eb('ticket_id', 'is', null), eb('uploader_id', '=', user_id)]),
        eb.and([eb('ticket_id', 'is not', null), eb('user_id', '=', user_id), eb('note', '=', false)]),
        ...(is_staff ? [eb.and([eb('ticket_id', 'is not', null), eb('user_id', '<>', user_id)])] : []),
      ]),
    )
    .executeTakeFirst()
}

/** Deletes the rows of files that no message used in time; the bytes become leftovers. */
export async function deleteExpired(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('attachments')
    .where('ticket_id', 'is', null)
    .where('created_at', '<=', unusedUntil)
    .execute()
}

/** Deletes the rows of all files of a customer: files in tickets, and files that no message uses yet. */
export async function deleteAttachmentsOf(tx: Tx, user_id: string): Promise<void> {
  // A file of a ticket goes with the ticket, which a hold may keep.
  await sql`delete from attachments where user_id = ${user_id} and (ticket_id is null or not is_on_hold(created_at, created_at))`.execute(
    tx,
  )
}

export type Leftover = { public_id: string; has_preview: boolean }

/** Returns up to `limit` files whose rows are deleted, but whose bytes may still be stored. */
export async function leftovers(db: Db, limit: number): Promise<Leftover[]> {
  return db.selectFrom('attachment_leftovers').select(['public_id', 'has_preview']).limit(limit).execute()
}

export async function forgetLeftover(tx: Tx, public_id: string): Promise<void> {
  await tx.deleteFrom('attachment_leftovers').where('public_id', '=', public_id).execute()
}

/** Returns those of the ids that have a row. */
export async function known(db: Db, public_ids: readonly string[]): Promise<Set<string>> {
  if (public_ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('attachments')
    .select('public_id')
    .where('public_id', 'in', [...public_ids])
    .execute()
  return new Set(rows.map(({ public_id }) => public_id))
}

/** Lets an account keep so many bytes more than STORAGE_PER_CUSTOMER. */
export async function setExtraBytes(tx: Tx, user_id: string, extra_bytes: number): Promise<void> {
  await tx
    .insertInto('kept_bytes')
    .values({ user_id, bytes: 0, extra_bytes })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ extra_bytes }))
    .execute()
}
