import { sql, type Kysely, type RawBuilder } from 'kysely'
import { must } from '#foundation/must.ts'
import { estimatedRows } from '#foundation/server/database/search-queries.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { noSpam, type TicketRow } from '#features/support/tickets/server/tickets.ts'
import { spellingsOf } from '#foundation/search-text.ts'

type Db = Kysely<Database>

export type DeskQuery = {
  tab?: readonly TicketRow['status'][] | undefined
  /** True for spam, which is in no other list. */
  spam: boolean
  topic?: string | undefined
  priority?: string | undefined
  assignee?: string | undefined
  customer?: string | undefined
  tag?: string | undefined
  /** True for tickets whose answer was expected before now alone. */
  late?: boolean | undefined
  /** True for tickets that sleep alone, false for those that are awake. */
  snoozed?: boolean | undefined
  /** The search text, and the customers whose name or address contains it. */
  search?: { q: string; people: readonly string[] } | undefined
  staff_id: string
  after: { at: string; id: string } | undefined
  limit: number
}

/** The maximum number of hits that a search reads, the latest first: a word that is in every ticket finds the newest tickets. */
const HITS = 500

/** Words in more messages than this are looked for in the messages, from the newest back; rarer words by the index of words. */
const COMMON = 10_000

// The ticket that has waited longest comes first; a ticket that does not wait counts from its last message. The index
// tickets_waiting is on this expression.
const since = sql<Date>`coalesce(t.waiting_since, t.last_message_at)`

// The ticket whose answer is expected first comes first. After all of these, where nothing is promised, priority counts as additional
// waiting time, so that a critical ticket of this hour is never below a medium ticket of this day. Tickets that wait for their customer
// come after all tickets that wait for staff; closed tickets come last. The index tickets_turn is on this expression, which has to be the
// same word for word. It adds in UTC, since the sum of a time with its zone and an interval depends on the session, and is in no index.
const utc = sql`(${since} at time zone 'UTC')`
const turn = sql<Date>`(case when t.status = 'closed' then ${utc} + interval '8766000 hours'
  when t.waiting_since is null then ${utc} + interval '876600 hours'
  when t.due_at is not null then t.due_at at time zone 'UTC'
  when t.priority = 'critical' then ${utc} + interval '438276 hours'
  when t.priority = 'high' then ${utc} + interval '438292 hours'
  else ${utc} + interval '438300 hours' end at time zone 'UTC')`

// The ticket that wakes first comes first; those that wait for an answer follow, by the time from which they sleep.
const wakes = sql<Date>`coalesce(t.snoozed_until, t.snoozed_at + interval '876600 hours')`

/**
 * Each tab is read along an index, a page at a time: one of the open tickets by their turn, one of all by their waiting. Late tickets are in
 * the same order in every tab, along the index tickets_due: their turn is the time by which they were to be answered.
 */
const orderOf = ({ tab, snoozed, late }: DeskQuery) =>
  late
    ? sql<Date>`t.due_at`
    : snoozed
      ? wakes
      : tab?.every((status) => status === 'closed' || status === 'pending')
        ? since
        : turn

/** Returns a page of tickets. `since` is the place of a ticket in the order, from which the next page continues. */
export async function searchTickets(db: Db, query: DeskQuery): Promise<(TicketRow & { since: Date })[]> {
  const place = orderOf(query)
  const conditions = [sql`t.user_id <> ${query.staff_id}::uuid`]
  conditions.push(query.spam ? sql`t.spam_at is not null` : noSpam(sql`t`))
  // The statuses are joined by `or`: with `= any(…)` PostgreSQL leaves the order of the index and sorts a whole tab for one page. They are
  // literals: it reads the partial index tickets_turn only if it knows them when it plans the query.
  if (query.tab) conditions.push(sql`(${sql.join(query.tab.map(isStatus), sql` or `)})`)
  if (query.topic !== undefined) conditions.push(sql`t.topic = ${query.topic}`)
  if (query.priority !== undefined) conditions.push(sql`t.priority = ${query.priority}`)
  if (query.customer !== undefined) conditions.push(sql`t.user_id = ${query.customer}::uuid`)
  if (query.assignee === 'none') conditions.push(sql`t.assignee_id is null`)
  else if (query.assignee !== undefined)
    conditions.push(sql`t.assignee_id = ${query.assignee === 'me' ? query.staff_id : query.assignee}::uuid`)
  if (query.search) conditions.push(await matching(db, query.search))
  if (query.tag !== undefined) conditions.push(sql`t.tags <> '{}' and t.tags @> array[${query.tag}]`)
  if (query.late) conditions.push(sql`t.due_at < now()`)
  if (query.snoozed !== undefined)
    conditions.push(query.snoozed ? sql`t.snoozed_at is not null` : sql`t.snoozed_at is null`)
  if (query.after)
    conditions.push(sql`(${place}, t.id) > (${query.after.at}::timestamptz, ${query.after.id}::bigint)`)
  const { rows } = await sql<TicketRow & { since: Date }>`
    select t.*, ${place} as since from tickets t where ${sql.join(conditions, sql` and `)}
    order by ${place}, t.id limit ${query.limit}`.execute(db)
  return rows
}

const isStatus = (status: TicketRow['status']) => STATUSES[status]

const STATUSES = {
  opened: sql`t.status = 'opened'`,
  'in-progress': sql`t.status = 'in-progress'`,
  pending: sql`t.status = 'pending'`,
  closed: sql`t.status = 'closed'`,
} as const

/** The condition of a search: number, words of the subject or of a message in one of three languages, or one of these customers. */
async function matching(db: Db, { q, people }: { q: string; people: readonly string[] }) {
  const number = /^#?(\d{1,9})$/.exec(q.trim())?.[1] ?? '-1'
  const words = await wordsOf(db, q)
  const held = sql`select ticket_id, created_at from ticket_messages where search @@ ${words}`
  // Without 'offset 0' PostgreSQL would search backward in time for rare words, too.
  const messages =
    (await estimatedRows(db, held)) > COMMON ? held : sql`select * from (${held} offset 0) as few`
  return sql`t.id in (
    select id from tickets where number = ${number}::int
    union all (select id from tickets where search @@ ${words} order by last_message_at desc limit ${HITS})
    union all (select id from tickets where user_id = any(${[...people]}::uuid[]) order by last_message_at desc limit ${HITS})
    union all (select ticket_id from (${messages}) as said order by created_at desc limit ${HITS}))`
}

/**
 * Returns the search words as stems in the three languages and in each spelling, and as words whatever their accents, each once: a stem listed
 * three times would count as three times as common.
 */
async function wordsOf(db: Db, q: string) {
  const { written, folded } = spellingsOf(q)
  const { rows } = await sql<{ stems: string }>`
    select websearch_to_tsquery(language::regconfig, spelling)::text as stems
    from unnest(array['english', 'german', 'russian']) as language, unnest(${written}::text[]) as spelling
    union select websearch_to_tsquery('simple', ${folded})::text`.execute(db)
  return sql`(${sql.join(
    rows.map(({ stems }) => sql`${stems}::tsquery`),
    sql` || `,
  )})`
}

type Counts = {
  incoming: number
  processing: number
  waiting: number
  snoozed: number
  mine_unread: number
  late: number
}

/**
 * Counts the tickets of each tab that do not sleep, and those that do, up to 1,000 each, and the unread and the late tickets up to 100: higher
 * numbers are not shown, and the database need not count them. For each unread ticket its messages are read; the indices tickets_awake,
 * tickets_snoozed, tickets_open_of_assignee and tickets_due hold the rest.
 */
export async function countTickets(db: Db, staff_id: string): Promise<Counts> {
  // The status is a literal and not a parameter: PostgreSQL uses a partial index only if it knows the status when it plans the query.
  const tab = (status: RawBuilder<unknown>) =>
    sql`(select count(*) from (select from tickets where status = ${status} and snoozed_at is null and user_id <> ${staff_id}::uuid limit 1000) as few)::int`
  const { rows } = await sql<Counts>`
    select ${tab(sql`'opened'`)} as incoming, ${tab(sql`'in-progress'`)} as processing, ${tab(sql`'pending'`)} as waiting,
      (select count(*) from (
        select from tickets where snoozed_at is not null and user_id <> ${staff_id}::uuid and status <> 'closed' limit 1000) as few)::int as snoozed,
      (select count(*) from (
        select from tickets where due_at < now() and user_id <> ${staff_id}::uuid limit 100) as few)::int as late,
      (select count(*) from (
        select from tickets t left join ticket_readers r on r.ticket_id = t.id and r.user_id = ${staff_id}
        where t.assignee_id = ${staff_id}::uuid and t.status <> 'closed'
          and (t.due_at < now() or t.staff_seq > coalesce(r.seq, 0) and exists (
          select from ticket_messages m where m.ticket_id = t.id and m.seq > coalesce(r.seq, 0) and m.kind <> 'event'
            and m.author_id is distinct from ${staff_id}::uuid))
        limit 100) as few)::int as mine_unread`.execute(db)
  return must(rows[0])
}

/**
 * Counts up to 1,000 tickets that nobody has taken, those of them that have waited for longer than a day, and up to 100 tickets whose answer
 * was expected before now, whoever has them.
 */
export async function countIncoming(
  db: Db,
  staff_id: string,
): Promise<{ incoming: number; late: number; overdue: number }> {
  const { rows } = await sql<{ incoming: number; late: number; overdue: number }>`
    select count(*)::int as incoming, (count(*) filter (where since < now() - interval '24 hours'))::int as late,
      (select count(*) from (
        select from tickets where due_at < now() and user_id <> ${staff_id}::uuid limit 100) as few)::int as overdue
    from (select ${since} as since from tickets t where t.status = 'opened' and t.snoozed_at is null and t.user_id <> ${staff_id}::uuid
      order by 1 limit 1000) as few`.execute(db)
  return must(rows[0])
}

/** True if this note of this author came into the ticket a short while ago. */
export async function hasWritten(
  tx: Db,
  { ticket_id, author_id, note }: { ticket_id: bigint; author_id: string; note: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('ticket_messages')
    .select('seq')
    .where('ticket_id', '=', ticket_id)
    .where('author_id', '=', author_id)
    .where('kind', '=', 'note')
    .where('text', '=', note)
    .where('created_at', '>', sql<Date>`now() - interval '10 minutes'`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
