import { sql, type Kysely, type RawBuilder } from 'kysely'
import { must } from '#foundation/must.ts'
import { estimatedRows } from '#foundation/server/database/estimate-queries.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { TicketRow } from '#features/support/tickets/server/tickets.ts'

type Db = Kysely<Database>

export type DeskQuery = {
  tab?: readonly string[] | undefined
  topic?: string | undefined
  priority?: string | undefined
  assignee?: string | undefined
  customer?: string | undefined
  /** The search text, and the customers whose name or address contains it. */
  search?: { q: string; people: readonly string[] } | undefined
  staff_id: string
  after: { at: string; id: string } | undefined
  limit: number
}

/**
 * A search in messages reads the latest of this many hits: a word of every ticket finds the newest of them.
 */
const HITS = 500

/** Words in more messages than this are searched backward in time; rarer ones by the index of words. */
const COMMON = 10_000

// The longest waiting ticket comes first; without one, the longest inactive. The index tickets_waiting is over this.
const since = sql<Date>`coalesce(t.waiting_since, t.last_message_at)`

// Priority counts as additional waiting time, so that a critical ticket of this hour is never below a medium
// one of this day. Tickets that wait for their customer come after all that wait for staff, then the closed
// ones. In hours, because the day of a clock change has not 24.
const turn = sql<Date>`case when t.status = 'closed' then ${since} + interval '8766000 hours'
  when t.waiting_since is null then ${since} + interval '876600 hours' when t.priority = 'critical' then ${since} - interval '24 hours'
  when t.priority = 'high' then ${since} - interval '8 hours' else ${since} end`

/** The open tickets are few enough to be sorted; the others are read along the index, a page at a time. */
const orderOf = (tab: DeskQuery['tab']) =>
  tab?.every((status) => status === 'closed' || status === 'pending') ? since : turn

/** `since` is the place in the order, for the next page. */
export async function searchTickets(db: Db, query: DeskQuery): Promise<(TicketRow & { since: Date })[]> {
  const place = orderOf(query.tab)
  const conditions = [sql`t.user_id <> ${query.staff_id}::uuid`]
  // Not `= any(…)`, which PostgreSQL would read out of the order of the index, and sort all of a tab for one page.
  if (query.tab) conditions.push(sql`(${sql.join(query.tab.map(isStatus), sql` or `)})`)
  if (query.topic !== undefined) conditions.push(sql`t.topic = ${query.topic}`)
  if (query.priority !== undefined) conditions.push(sql`t.priority = ${query.priority}`)
  if (query.customer !== undefined) conditions.push(sql`t.user_id = ${query.customer}::uuid`)
  if (query.assignee === 'none') conditions.push(sql`t.assignee_id is null`)
  else if (query.assignee !== undefined)
    conditions.push(sql`t.assignee_id = ${query.assignee === 'me' ? query.staff_id : query.assignee}::uuid`)
  if (query.search) conditions.push(await matching(db, query.search))
  if (query.after)
    conditions.push(sql`(${place}, t.id) > (${query.after.at}::timestamptz, ${query.after.id}::bigint)`)
  const { rows } = await sql<TicketRow & { since: Date }>`
    select t.*, ${place} as since from tickets t where ${sql.join(conditions, sql` and `)}
    order by ${place}, t.id limit ${query.limit}`.execute(db)
  return rows
}

const isStatus = (status: string) => sql`t.status = ${status}`

/** Number, words of the subject or of a message in any of the three languages, or one of the named customers. */
async function matching(db: Db, { q, people }: { q: string; people: readonly string[] }) {
  const number = /^#?(\d{1,9})$/.exec(q.trim())?.[1] ?? '-1'
  const words = await wordsOf(db, q)
  const held = sql`select ticket_id, created_at from ticket_messages where search @@ ${words}`
  // By itself PostgreSQL walks back through time also for rare words: 'offset 0' prevents that.
  const messages =
    (await estimatedRows(db, held)) > COMMON ? held : sql`select * from (${held} offset 0) as few`
  return sql`t.id in (
    select id from tickets where number = ${number}::int
    union all (select id from tickets where search @@ ${words} order by last_message_at desc limit ${HITS})
    union all (select id from tickets where user_id = any(${[...people]}::uuid[]) order by last_message_at desc limit ${HITS})
    union all (select ticket_id from (${messages}) as said order by created_at desc limit ${HITS}))`
}

/**
 * The words by their stems in the three languages, each once: a stem listed three times would count as three
 * times as common.
 */
async function wordsOf(db: Db, q: string) {
  const { rows } = await sql<{ stems: string }>`
    select distinct websearch_to_tsquery(language::regconfig, ${q})::text as stems
    from unnest(array['english', 'german', 'russian']) as language`.execute(db)
  return sql`(${sql.join(
    rows.map(({ stems }) => sql`${stems}::tsquery`),
    sql` || `,
  )})`
}

type Counts = { incoming: number; processing: number; waiting: number; mine_unread: number }

/**
 * A tab up to 1,000, unread ones up to 100: higher numbers are not shown, and the database need not count them. Each unread ticket
 * costs a look at its messages. The indices tickets_open and tickets_open_of_assignee hold all else that is read here.
 */
export async function countTickets(db: Db, staff_id: string): Promise<Counts> {
  // The status by its name and not as a parameter: an index over a part of the rows serves only where it is known when planning.
  const tab = (status: RawBuilder<unknown>) =>
    sql`(select count(*) from (select from tickets where status = ${status} and user_id <> ${staff_id}::uuid limit 1000) as few)::int`
  const { rows } = await sql<Counts>`
    select ${tab(sql`'opened'`)} as incoming, ${tab(sql`'in-progress'`)} as processing, ${tab(sql`'pending'`)} as waiting,
      (select count(*) from (
        select from tickets t left join ticket_readers r on r.ticket_id = t.id and r.user_id = ${staff_id}
        where t.assignee_id = ${staff_id}::uuid and t.status <> 'closed'
          and t.staff_seq > coalesce(r.seq, 0) and exists (
          select from ticket_messages m where m.ticket_id = t.id and m.seq > coalesce(r.seq, 0) and m.kind <> 'event'
            and m.author_id is distinct from ${staff_id}::uuid)
        limit 100) as few)::int as mine_unread`.execute(db)
  return must(rows[0])
}
