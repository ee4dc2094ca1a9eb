import { sql, type Kysely, type Selectable } from 'kysely'
import { batched, batchedRows, readAll } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { must } from '#foundation/must.ts'
import type { Database, TicketMessages } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Attachment, Message } from '#features/support/tickets/contract.ts'

type Db = Kysely<Database>

export type MessageRow = Omit<
  Selectable<TicketMessages>,
  'search' | 'event' | 'attachments' | 'redacted' | 'moved'
> &
  Kept

/** The types of the JSON columns, which hold the values that `insertMessage` wrote. */
type Kept = {
  event: NonNullable<Message['event']> | null
  attachments: Attachment[]
  redacted: Redacted | null
  moved: { id: string; number: string } | null
}

/** The parts that were removed of a message, its text or some files, when and by whom. */
export type Redacted = { at: string; by: string; by_staff: boolean; text: boolean; files: number }

const columns = [
  'ticket_id',
  'seq',
  'customer_seq',
  'user_id',
  'author_id',
  'by_staff',
  'kind',
  'client_id',
  'text',
  'event',
  'attachments',
  'by_mail',
  'created_at',
  'redacted',
  'moved',
  'secret_id',
] as const

export type NewMessage = {
  ticket_id: bigint
  author_id: string | null
  by_staff: boolean
  kind: 'comment' | 'note' | 'event'
  client_id?: string
  text?: string
  event?: { code: string; params: Record<string, string> }
  attachments?: readonly Attachment[]
  /** True if the author is a helper of the ticket's customer. */
  is_helper?: boolean
  secret_id?: string | null
  /** True if the message came as a mail. */
  by_mail?: boolean
}

/**
 * Writes a message with the ticket's next numbers, in one statement. The caller has locked the ticket's row. The author of a message that is
 * no event line has read up to it, but only if they have seen all messages of others before it: `read` says whether their mark rose. The
 * first message that they have not seen is asked for in order: asked if there is any, PostgreSQL may read the messages of all tickets.
 */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<MessageRow & { read: boolean }> {
  const { ticket_id, author_id, by_staff, kind, client_id, text = '', event, attachments = [] } = message
  const { is_helper = false, secret_id = null, by_mail = false } = message
  const [number, last] = by_staff
    ? (['seq', 'staff_seq'] as const)
    : (['customer_seq', 'customer_seq'] as const)
  const { rows } = await sql<MessageRow & { read: boolean }>`
    with numbered as (
      update tickets set staff_seq = staff_seq + 1,
        customer_seq = customer_seq + ${kind === 'note' ? 0 : 1}::int,
        last_message_at = case when ${kind} = 'note' then last_message_at else date_trunc('milliseconds', now()) end
      where id = ${ticket_id} returning id, user_id, staff_seq, customer_seq),
    mark as (
      insert into ticket_readers as r (ticket_id, user_id, seq, is_helper)
      select id, ${author_id}::uuid, ${sql.ref(last)}, ${is_helper} from numbered
      where ${kind} <> 'event' and ${author_id}::uuid is not null and (
        select seq from ticket_messages where ticket_id = ${ticket_id} and kind <> 'event' and author_id is distinct from ${author_id}::uuid
          and ${sql.ref(number)} > coalesce(
            (select seq from ticket_readers where ticket_id = ${ticket_id} and user_id = ${author_id}::uuid), 0)
        order by ${sql.ref(number)} limit 1) is null
      ${markRises}
      returning seq)
    insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, client_id, text, event, attachments, secret_id, by_mail)
    select id, staff_seq, case when ${kind} = 'note' then null else customer_seq end, user_id, ${author_id}::uuid, ${by_staff},
      ${kind}, coalesce(${client_id ?? null}::uuid, gen_random_uuid()), ${text}, ${event ? JSON.stringify(event) : null}::jsonb,
      ${JSON.stringify(attachments)}::jsonb, ${secret_id}::uuid, ${by_mail}
    from numbered
    returning ${sql.join(columns.map((column) => sql.ref(column)))}, exists (select from mark) as read`.execute(
    tx,
  )
  return must(rows[0])
}

/** A mark moves forward, never back. A member of staff who is also a helper of the customer counts for the side on which they read last. */
const markRises = sql`
  on conflict (ticket_id, user_id) do update set seq = excluded.seq, is_helper = excluded.is_helper, read_at = now()
    where r.seq < excluded.seq or r.is_helper <> excluded.is_helper`

export async function messageByClientId(
  db: Db,
  of: { ticket_id: bigint; author_id: string; client_id: string },
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('ticket_messages')
    .select(columns)
    .$narrowType<Kept>()
    .where('ticket_id', '=', of.ticket_id)
    .where('author_id', '=', of.author_id)
    .where('client_id', '=', of.client_id)
    .executeTakeFirst()
}

/** Returns single messages by their numbers: in staff's count, or in the customer's count, which skips notes. */
export async function messagesByNumber(
  db: Db,
  wanted: readonly { chat_id: string; staff: boolean; seq: number }[],
): Promise<MessageRow[]> {
  if (wanted.length === 0) return []
  const chats = wanted.map(({ chat_id }) => chat_id)
  const sides = wanted.map(({ staff }) => staff)
  const numbers = wanted.map(({ seq }) => seq)
  const all = sql.join(columns.map((column) => sql.ref(`m.${column}`)))
  const { rows } = await sql<MessageRow>`
    with wanted as materialized (
      select t.id as ticket_id, w.staff, w.number
      from unnest(${chats}::text[], ${sides}::boolean[], ${numbers}::int[]) as w (chat_id, staff, number)
      join tickets t on t.public_id = w.chat_id)
    select ${all} from wanted w
      join ticket_messages m on m.ticket_id = w.ticket_id and m.seq = w.number where w.staff
    union all
    select ${all} from wanted w
      join ticket_messages m on m.ticket_id = w.ticket_id and m.customer_seq = w.number where not w.staff`.execute(
    db,
  )
  return rows
}

export type Window = { before: number | undefined; after: number | undefined; limit: number }

/**
 * Returns up to `limit` messages in order: the first ones after `after`, else the last ones before `before`, else the last ones of the
 * ticket. Without `staff` the numbers are in the customer's count, and notes are left out.
 */
export async function messagesOf(
  db: Db,
  ticket_id: bigint,
  { staff }: { staff: boolean },
  { before, after, limit }: Window,
): Promise<MessageRow[]> {
  const number = staff ? ('seq' as const) : ('customer_seq' as const)
  let query = db.selectFrom('ticket_messages').select(columns).where('ticket_id', '=', ticket_id)
  if (!staff) query = query.where('kind', '<>', 'note')
  if (after !== undefined)
    return query.where(number, '>', after).orderBy(number, 'asc').limit(limit).$narrowType<Kept>().execute()
  if (before !== undefined) query = query.where(number, '<', before)
  const rows = await query.orderBy(number, 'desc').limit(limit).$narrowType<Kept>().execute()
  return rows.toReversed()
}

/**
 * Returns the number, in staff's count, of the first comment of the customer or a helper after the last comment of staff; null if there is
 * none.
 */
export async function firstUnanswered(db: Db, ticket_id: bigint): Promise<number | null> {
  const comments = db
    .selectFrom('ticket_messages')
    .select('seq')
    .where('ticket_id', '=', ticket_id)
    .where('kind', '=', 'comment')
  const answered = await comments
    .where('by_staff', '=', true)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const asked = await comments
    .where('by_staff', '=', false)
    .where('seq', '>', answered?.seq ?? 0)
    .orderBy('seq', 'asc')
    .limit(1)
    .executeTakeFirst()
  return asked?.seq ?? null
}

/** How far a person has read. With `is_helper` they read for the customer, and `seq` is in the customer's count. */
export type ReadMark = { user_id: string; seq: number; is_helper: boolean }

/** Raises a reader's mark. Returns whether it moved. */
export async function moveMark(
  tx: Tx,
  ticket_id: bigint,
  { user_id, seq, is_helper }: ReadMark,
): Promise<boolean> {
  const { rows } = await sql`
    insert into ticket_readers as r (ticket_id, user_id, seq, is_helper)
    values (${ticket_id}, ${user_id}, ${seq}, ${is_helper})
    ${markRises}
    returning seq`.execute(tx)
  return rows.length > 0
}

export const marksOf = batchedRows(async (db: Db, ticket_ids: readonly bigint[]): Promise<ReadMark[][]> => {
  const rows = await db
    .selectFrom('ticket_readers')
    .select(['ticket_id', 'user_id', 'seq', 'is_helper'])
    .where((row) => sql<boolean>`${row.ref('ticket_id')} = any(${arrayOf(ticket_ids.map(String), 'bigint')})`)
    .execute()
  const found = Map.groupBy(rows, ({ ticket_id }) => ticket_id)
  return ticket_ids.map((id) => found.get(id) ?? [])
})

/** Converts a number of one count into the other: returns the number of the last message up to `seq` that is no note, or 0. */
export async function translateSeq(
  db: Db,
  ticket_id: bigint,
  seq: number,
  to: 'customer' | 'staff',
): Promise<number> {
  const [from, wanted] =
    to === 'customer' ? (['seq', 'customer_seq'] as const) : (['customer_seq', 'seq'] as const)
  const row = await db
    .selectFrom('ticket_messages')
    .select(['seq', 'customer_seq'])
    .where('ticket_id', '=', ticket_id)
    .where('kind', '<>', 'note')
    .where(from, '<=', seq)
    .orderBy(from, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.[wanted] ?? 0
}

/** The number of characters of a message that are read for one line of a list. */
const LENGTH = 400

/** Returns the latest comment of each ticket, cut to `LENGTH` characters. Notes are left out, because only staff may read them. */
export const lastCommentsOf = (
  db: Db,
  ticket_ids: readonly bigint[],
): Promise<Map<bigint, { text: string; by_staff: boolean }>> => readAll(lastComment, db, ticket_ids)

const lastComment = batched(async (db: Db, ticket_ids: readonly bigint[]) => {
  const { rows } = await sql<{ id: bigint; text: string; by_staff: boolean }>`
    select t.id, m.text, m.by_staff from unnest(${arrayOf(ticket_ids.map(String), 'bigint')}) as t (id)
    cross join lateral (
      select left(text, ${LENGTH}) as text, by_staff from ticket_messages
      where ticket_id = t.id and kind = 'comment' order by seq desc limit 1) m`.execute(db)
  return new Map(rows.map(({ id, text, by_staff }) => [id, { text, by_staff }]))
})
