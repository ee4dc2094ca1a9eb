import { sql } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { maySignIn, factorStateOf } from '#foundation/server/session/access-queries.ts'
import { isLive } from '#foundation/server/session/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { LiveEvent } from './live-event.ts'
import { arraysOf, type Position, type Question } from './questions.ts'

export const CHANNEL = 'live'

/** The topic of all staff; every other topic is the id of a person. */
export const STAFF = '00000000-0000-0000-0000-000000000000'

export type NewEvent = {
  topic: string
  event: LiveEvent
  hidden_from: string | null
  audience?: { roles: readonly string[]; host_id?: string | null } | undefined
}

/**
 * Takes the next numbers of each topic under the lock of its row, and writes the events: in one statement, which takes the topics in one
 * order whatever the order of the events. Helpers of the person get the event in their own topics, with the account that it concerns and
 * the grants by which they receive it (`held`).
 */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const [first] = events
  if (first && events.length === 1 && !first.audience) return insertEvent(tx, first)
  const topics = events.map(({ topic }) => topic)
  const types = events.map(({ event }) => event.type)
  const payloads = events.map(({ event: { type: _type, ...payload } }) => JSON.stringify(payload))
  const hidden = events.map(({ hidden_from }) => hidden_from)
  const roles = events.map(({ audience }) => audience?.roles.join(',') ?? null)
  const hosts = events.map(({ audience }) => audience?.host_id ?? null)
  await sql`/* with COMMIT */
    with given as (
      select topic, type, payload::jsonb as payload, hidden_from, roles, host, place
      from unnest(${arrayOf(topics, 'uuid')}, ${arrayOf(types, 'text')}, ${arrayOf(payloads, 'text')}, ${arrayOf(hidden, 'uuid')},
        ${arrayOf(roles, 'text')}, ${arrayOf(hosts, 'text')})
        with ordinality as e (topic, type, payload, hidden_from, roles, host, place)),
    heard as (
      select topic, type, payload, hidden_from, place from given
      union all
      select a.person, g.type, g.payload || jsonb_build_object('account', g.topic, 'held', a.held), null, g.place
      from given g cross join lateral audience_of(g.topic, string_to_array(g.roles, ','), g.host) a where g.roles is not null),
    event as (
      select *, row_number() over (partition by topic order by place) as nth, count(*) over (partition by topic) as of from heard),
    cursor as (
      insert into live_cursors as c (user_id, last_seq) select topic, count(*) from event group by topic order by topic
      on conflict (user_id) do update set last_seq = c.last_seq + excluded.last_seq
      returning user_id, last_seq),
    written as (
      insert into live_events (user_id, seq, type, payload, hidden_from)
      select topic, last_seq - of + nth, type, payload, hidden_from from event join cursor on user_id = topic
      returning user_id)
    select pg_notify(${CHANNEL}, user_id::text) from (select distinct user_id from written) as topic`.execute(
    tx,
  )
}

/** Writes one event for one topic, as most transactions do: in half of the time. */
async function insertEvent(tx: Tx, { topic, event, hidden_from }: NewEvent): Promise<void> {
  const { type, ...payload } = event
  await sql`/* with COMMIT */
    with cursor as (
      insert into live_cursors as c (user_id, last_seq) values (${topic}, 1)
      on conflict (user_id) do update set last_seq = c.last_seq + 1
      returning user_id, last_seq),
    written as (
      insert into live_events (user_id, seq, type, payload, hidden_from)
      select user_id, last_seq, ${type}, ${JSON.stringify(payload)}::jsonb, ${hidden_from}::uuid from cursor
      returning user_id)
    select pg_notify(${CHANNEL}, user_id::text) from written`.execute(tx)
}

/** Wakes every process with a few words that are stored nowhere. PostgreSQL takes 8,000 bytes at most. */
export async function notify({ db }: Pick<App, 'db'>, payload: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db)
}

export const positionKey = ({ topic, after }: Position | Reading): string => `${topic}:${after ?? ''}`

export type StoredEvent = {
  seq: number
  type: string
  payload: Record<string, unknown>
  hidden_from: string | null
  /** True for an event of an account that the reader helped, if the grant has changed since or has ended. */
  withheld: boolean
}

/** The news of a topic for the readers who are at one position. */
export type Reading = {
  topic: string
  after: number | null
  last_seq: number
  events: StoredEvent[]
  /** The time since the newest event, for a position that asks for no events; null where the log has no event. */
  quiet_ms: number | null
}

type News = {
  /** The places, from 1, of the readers whose session is over, or whose standing as staff has changed since their stream was opened. */
  ended: number[]
  /** The news for positions behind the last event, and for positions that ask for no events; other positions have no news. */
  readings: Reading[]
  written: string | null
}

/**
 * Reads the events after the positions of these questions, each position once however many readers are at it, and finds the readers who may
 * read no longer: in one statement, so that the rights are of the same moment as the events. Positions without news, which most are, are
 * left out. `written` is a position of the write-ahead log after all these events, if there is a replica that may not have them yet.
 */
export async function readFor(app: App, questions: readonly Question[], limit: number): Promise<News> {
  const { session, generation, staff, near, topics, afters } = arraysOf(questions)
  // The position is read after the statement has taken its snapshot, so that it lies after all events that are sent.
  const written = app.replica ? sql`pg_current_wal_insert_lsn()::text` : sql`null`
  const { rows } = await sql<News>`
    select ${written} as written, (
      select coalesce(json_agg(w.place), '[]')
      from unnest(${session}::bigint[], ${generation}::int[], ${staff}::boolean[], ${near}::boolean[])
        with ordinality as w (session_id, generation, is_staff, near, place)
      left join sessions s on s.id = w.session_id and s.generation = w.generation and ${isLive(app)}
      left join users u on u.id = s.user_id and ${maySignIn}
      where case when w.session_id < 0 then not program_lives(-w.session_id) else u.id is null
        or w.is_staff <> (w.near and coalesce(u.is_staff and ${factorStateOf(app)} in ('none', 'proven'), false)) end
    ) as ended, (
      select coalesce(json_agg(json_build_object('topic', p.topic, 'after', p.after, 'last_seq', coalesce(c.last_seq, 0),
        'events', coalesce(e.events, '[]'),
        'quiet_ms', case when p.after is null then (
          select extract(epoch from clock_timestamp() - created_at) * 1000 from live_events
          where user_id = p.topic order by seq desc limit 1) end)), '[]')
      from (select distinct * from unnest(${topics}::uuid[], ${afters}::bigint[]) as e (topic, after)) as p
      left join live_cursors c on c.user_id = p.topic
      left join lateral (
        select json_agg(json_build_object('seq', seq, 'type', type, 'payload', payload - 'held', 'hidden_from', hidden_from,
          'withheld', payload ? 'held' and not is_held(user_id, payload->'held')) order by seq) as events
        from (select * from live_events where user_id = p.topic and c.last_seq > p.after and seq > p.after
              order by seq limit ${limit}) as few
      ) e on true
      where p.after is distinct from coalesce(c.last_seq, 0)
    ) as readings`.execute(app.db)
  return must(rows[0])
}

/**
 * Deletes old events: readers who were away for longer than an hour load the pages again. The rows of live_cursors stay, so that a number
 * is never given twice. The events of half an hour are deleted at once, with the partition that they are in (decision 061).
 */
export async function sweepEvents({ db }: Pick<App, 'db'>): Promise<void> {
  await sql`select sweep_live_events()`.execute(db)
}
