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
