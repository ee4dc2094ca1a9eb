import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Topic } from '#features/support/tickets/rules.ts'
import { noSpam } from '#features/support/tickets/server/tickets.ts'

type Db = Kysely<Database>

/** Mondays in a time zone; the first one, as a day. */
type Period = { first: string; zone: string }

export type Sums = {
  opened: number
  closed: number
  first_answer_s: number | null
  resolution_s: number | null
  good: number
  fair: number
  poor: number
}

const beginOf = ({ first, zone }: Period) => sql`(${first}::date::timestamp at time zone ${zone})`

/**
 * The events of each ticket in the period: a row for its opening, first answer, end, and the rating that counts. The first comment of a
 * ticket that was split off is older than the ticket, and so may its first answer be: that time counts from the comment.
 */
const happened = (period: Period) => sql`
  select t.topic, t.assignee_id, h.at, h.what, h.took_s from tickets t
  left join lateral (
    select face, rated_at from ticket_ratings r where r.ticket_id = t.id order by r.id desc limit 1) as r on true
  cross join lateral (values
    (t.created_at, 'opened', null),
    (t.first_reply_at, 'answered', case when t.first_reply_at is not null then extract(epoch from t.first_reply_at - least(t.created_at,
      (select m.created_at from ticket_messages m where m.ticket_id = t.id and m.seq = 1))) end),
    (t.closed_at, 'closed', extract(epoch from t.closed_at - t.created_at)),
    (r.rated_at, r.face, null)) as h (at, what, took_s)
  where ${noSpam(sql`t`)} and h.at >= ${beginOf(period)}`

const count = (what: string) => sql`(count(*) filter (where what = ${what}))::int`
const median = (what: string) =>
  sql`round(percentile_cont(0.5) within group (order by took_s) filter (where what = ${what}))::float8`
const sums = sql`${count('opened')} as opened, ${count('closed')} as closed, ${median('answered')} as first_answer_s,
  ${median('closed')} as resolution_s, ${count('good')} as good, ${count('fair')} as fair, ${count('poor')} as poor`

export async function sumsByWeek(db: Db, period: Period): Promise<(Sums & { week: string })[]> {
  const { rows } = await sql<Sums & { week: string }>`
    select to_char(date_trunc('week', at at time zone ${period.zone}), 'YYYY-MM-DD') as week, ${sums}
    from (${happened(period)}) as happened group by 1`.execute(db)
  return rows
}

export async function sumsByTopic(db: Db, period: Period): Promise<(Sums & { topic: Topic })[]> {
  const { rows } = await sql<Sums & { topic: Topic }>`
    select topic, ${sums} from (${happened(period)}) as happened group by 1 order by opened desc, topic`.execute(
    db,
  )
  return rows
}

export async function sumsByPerson(
  db: Db,
  period: Period,
): Promise<(Sums & { assignee_id: string | null })[]> {
  const { rows } = await sql<Sums & { assignee_id: string | null }>`
    select assignee_id, ${sums} from (${happened(period)}) as happened group by 1
    order by closed desc, assignee_id`.execute(db)
  return rows
}

/** Counts the tickets that were open when the period began. */
export async function openBefore(db: Db, period: Period): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tickets t where ${noSpam(sql`t`)}
      and t.created_at < ${beginOf(period)} and (t.closed_at is null or t.closed_at >= ${beginOf(period)})`.execute(
    db,
  )
  return must(rows[0]).count
}
