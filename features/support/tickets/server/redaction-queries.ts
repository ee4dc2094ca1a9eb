import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MessageRow, Redacted } from './message-queries.ts'

/** True if the operator keeps everything of the time of a message, by a hold. */
export async function isHeld(tx: Tx, { created_at }: MessageRow): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean
  }>`select is_on_hold(${created_at}, ${created_at}) as held`.execute(tx)
  return rows[0]?.held === true
}

/** A ticket in which a message is or was: whoever splits a conversation leaves a line with the same client_id there, and the former number. */
export type Place = { ticket_id: bigint; chat_id: string; customer_seq: number | null }

/** Returns the tickets through which a message went, in order, with its numbers in the customer's count; its time, which stays, is indexed. */
export async function placesOf(
  tx: Tx,
  { client_id, author_id, created_at }: MessageRow,
): Promise<readonly Place[]> {
  const { rows } = await sql<Place>`
    select m.ticket_id, t.public_id as chat_id, m.customer_seq from ticket_messages m join tickets t on t.id = m.ticket_id
    where m.created_at = ${created_at} and m.client_id = ${client_id}::uuid and m.author_id is not distinct from ${author_id}::uuid
    order by m.ticket_id`.execute(tx)
  return rows
}

/** Returns the accounts to which any of these tickets belongs or, before a merge of accounts or its undoing, belonged. */
export async function ownersOf(tx: Tx, ticket_ids: readonly bigint[]): Promise<readonly string[]> {
  const { rows } = await sql<{ owner: string }>`
    select owners_of_tickets as owner from owners_of_tickets(${ticket_ids.map(String)}::bigint[])`.execute(tx)
  return rows.map(({ owner }) => owner)
}

/** Takes files, or with null all content, out of a message. The bytes of the files are removed by a job that deleted rows leave to do. */
export async function redactRow(
  tx: Tx,
  { ticket_id, seq, attachments }: MessageRow,
  mark: Redacted,
  files: readonly string[] | null,
): Promise<void> {
  await sql`select redact_message(${ticket_id}, ${seq}::integer, ${JSON.stringify(mark)}::jsonb, ${files}::text[])`.execute(
    tx,
  )
  const gone = files ?? attachments.map(({ id }) => id)
  if (gone.length > 0)
    await sql`delete from attachments where ticket_id = ${ticket_id} and public_id = any (${gone}::text[])`.execute(
      tx,
    )
}
