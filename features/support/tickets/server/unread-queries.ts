import { sql, type Kysely, type RawBuilder } from 'kysely'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Topic } from '#features/support/tickets/rules.ts'
import { noSpam } from './spam-queries.ts'
import type { Database } from '#foundation/server/database/tables.ts'

type Db = Kysely<Database>

type About = {
  public_id: string
  number: number
  subject: string
  user_id: string
  topic: Topic
  host_public_id: string | null
}

/** Returns the data for a mail about a ticket; undefined if the ticket is gone, or is spam. */
export async function aboutTicket(db: Db, ticket_id: bigint): Promise<About | undefined> {
  return db
    .selectFrom('tickets')
    .select(['public_id', 'number', 'subject', 'user_id', 'topic', 'host_public_id'])
    .where('id', '=', ticket_id)
    .where(noSpam(sql.table('tickets')))
    .$narrowType<{ topic: Topic }>()
    .executeTakeFirst()
}

/** A reply of staff. `seq` is in the customer's count; `files` is the number of attached files. */
type UnreadReply = { seq: number; author_id: string; text: string; files: number; created_at: Date }

/** Returns the ids of the customer of a ticket and of the helpers who wrote in it. */
export async function customerSideOf(db: Db, ticket_id: bigint): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    select user_id as person from tickets where id = ${ticket_id}
    union select author_id from ticket_messages
      where ticket_id = ${ticket_id} and kind = 'comment' and not by_staff and author_id is not null`.execute(
    db,
  )
  return rows.map(({ person }) => person)
}

/** True if the customer and all helpers who wrote in the ticket have read up to `seq`, in the customer's count. */
export async function haveAllRead(db: Db, ticket_id: bigint, seq: number): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select user_id as person from tickets where id = ${ticket_id}
      union select author_id from ticket_messages
        where ticket_id = ${ticket_id} and kind = 'comment' and not by_staff and author_id is not null) as side
    left join ticket_readers r on r.ticket_id = ${ticket_id} and r.user_id = side.person
    where coalesce(r.seq, 0) < ${seq}::integer limit 1`.execute(db)
  return rows.length === 0
}

/**
 * Returns the replies of staff after the number `after` that `person` (the customer or a helper) has not read, oldest first, and no notes.
 */
export async function unreadReplies(
  db: Db,
  { ticket_id, person, after }: { ticket_id: bigint; person: string; after: number },
): Promise<UnreadReply[]> {
  const { rows } = await sql<UnreadReply>`
    select m.customer_seq as seq, m.author_id, m.text, jsonb_array_length(m.attachments) as files, m.created_at
    from ticket_messages m
    left join ticket_readers r on r.ticket_id = m.ticket_id and r.user_id = ${person}::uuid
    where m.ticket_id = ${ticket_id} and m.kind = 'comment' and m.by_staff
      and m.customer_seq > greatest(coalesce(r.seq, 0), ${after}::integer)
    order by m.customer_seq`.execute(db)
  return rows
}

/** Returns, by ticket, the number of messages by others that this reader has not seen, counted up to 100. Notes count only for staff. */
export async function unreadOf(
  db: Db,
  ticket_ids: readonly bigint[],
  { user_id, staff }: { user_id: string; staff: boolean },
): Promise<Map<bigint, number>> {
  const count = staff ? unreadByStaff : unreadByCustomer
  const counted = await Promise.all(ticket_ids.map((ticket_id) => count(db, { ticket_id, user_id })))
  return new Map(ticket_ids.map((id, place) => [id, counted[place] ?? 0]))
}

const unreadByStaff = unreadWhere(sql`m.seq > coalesce(r.seq, 0) and m.kind in ('comment', 'note')`)
const unreadByCustomer = unreadWhere(sql`m.customer_seq > coalesce(r.seq, 0) and m.kind = 'comment'`)

function unreadWhere(isAfter: RawBuilder<unknown>) {
  return batchedRows(async (db: Db, asked: readonly { ticket_id: bigint; user_id: string }[]) => {
    const { rows } = await sql<{ unread: number }>`
      select u.unread::int as unread from unnest(
        ${arrayOf(
          asked.map(({ ticket_id }) => String(ticket_id)),
          'bigint',
        )}, ${arrayOf(
          asked.map(({ user_id }) => user_id),
          'uuid',
        )}
      ) with ordinality as asked (ticket_id, reader, place)
      left join ticket_readers r on r.ticket_id = asked.ticket_id and r.user_id = asked.reader
      cross join lateral (
        select count(*) as unread from (
          select from ticket_messages m
          where m.ticket_id = asked.ticket_id and ${isAfter} and m.author_id is distinct from asked.reader
          limit 100) as few) u
      order by asked.place`.execute(db)
    return rows.map(({ unread }) => unread)
  })
}
