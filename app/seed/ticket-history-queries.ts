import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import type { Status } from '#features/support/tickets/rules.ts'
import type { Redacted } from '#features/support/tickets/server/message-queries.ts'
import type { NewTicket } from '#features/support/tickets/server/queries.ts'

export type SeedTimes = {
  created_at: Date
  last_message_at: Date
  waiting_since: Date | null
  pending_since: Date | null
  first_reply_at: Date | null
  closed_at: Date | null
}

export type SeedLine = {
  seq: number
  customer_seq: number | null
  author_id: string
  by_staff: boolean
  kind: 'comment' | 'note' | 'event'
  text: string
  event: { code: string; params: Record<string, string> } | null
  attachments: Attachment[]
  by_mail: boolean
  redacted: Redacted | null
  secret_id: string | null
  /** RFC 3339. */
  created_at: string
}

type SeedTicket = Omit<NewTicket, 'previous_id' | 'client_id'> &
  SeedTimes & { status: Status; assignee_id: string | null; staff_seq: number; customer_seq: number }

/** Inserts a ticket of the past without its messages. Returns its internal id and its number. */
export async function insertSeedTicket(tx: Tx, ticket: SeedTicket): Promise<{ id: bigint; number: number }> {
  return tx.insertInto('tickets').values(ticket).returning(['id', 'number']).executeTakeFirstOrThrow()
}

type Lines = { ticket_id: bigint; user_id: string; lines: readonly SeedLine[] }

export async function insertLines(tx: Tx, { ticket_id, user_id, lines }: Lines): Promise<void> {
  await sql`
    insert into ticket_messages (ticket_id, user_id, seq, customer_seq, author_id, by_staff, kind, text, event, attachments, by_mail, redacted,
      secret_id, created_at)
    select ${ticket_id}::bigint, ${user_id}::uuid, line.seq, line.customer_seq, line.author_id, line.by_staff, line.kind,
      line.text, line.event, line.attachments, line.by_mail, line.redacted, line.secret_id, line.created_at
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (
      seq int, customer_seq int, author_id uuid, by_staff boolean, kind text, text text, event jsonb, attachments jsonb,
      by_mail boolean, redacted jsonb, secret_id uuid, created_at timestamptz)`.execute(tx)
}

/** Stores the number (`seq`) of the last message that each reader has read. */
export async function insertSeen(
  tx: Tx,
  ticket_id: bigint,
  seen: readonly { user_id: string; seq: number }[],
): Promise<void> {
  for (const { user_id, seq } of seen)
    await tx.insertInto('ticket_readers').values({ ticket_id, user_id, seq }).execute()
}
