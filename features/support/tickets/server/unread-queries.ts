import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'

type Db = Kysely<Database>

export type About = { public_id: string; number: number; subject: string; user_id: string }

/** The data for a mail about a ticket; undefined if it is gone. */
export async function aboutTicket(db: Db, ticket_id: bigint): Promise<About | undefined> {
  return db
    .selectFrom('tickets')
    .select(['public_id', 'number', 'subject', 'user_id'])
    .where('id', '=', ticket_id)
    .executeTakeFirst()
}

/** `seq` in the customer's count. */
export type UnreadReply = { seq: number; author_id: string; text: string; files: number; created_at: Date }

/** Staff replies after `after` that the ticket's customer has not seen, oldest first. Never a note. */
export async function unreadReplies(db: Db, ticket_id: bigint, after: number): Promise<UnreadReply[]> {
  const { rows } = await sql<UnreadReply>`
    select m.customer_seq as seq, m.author_id, m.text, jsonb_array_length(m.attachments) as files, m.created_at
    from ticket_messages m
    left join ticket_readers r on r.ticket_id = m.ticket_id and r.user_id = m.user_id
    where m.ticket_id = ${ticket_id} and m.kind = 'comment' and m.by_staff
      and m.customer_seq > greatest(coalesce(r.seq, 0), ${after}::integer)
    order by m.customer_seq`.execute(db)
  return rows
}
