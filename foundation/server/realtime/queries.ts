import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { isLive } from '#foundation/server/session/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export const CHANNEL = 'live'

/** The recipients of an event. An event for staff is withheld from the moment in which they are staff no more. */
export type Recipient = { user_id: string; as_staff: boolean }

/** Takes each recipient's next number under its row's lock and writes the event; one statement, one round trip. */
export async function insertEvents(
  tx: Tx,
  event: { recipients: readonly Recipient[]; type: string; payload: string },
): Promise<void> {
  const users = event.recipients.map(({ user_id }) => user_id)
  const roles = event.recipients.map(({ as_staff }) => as_staff)
  await sql`
    with recipient as (
      select user_id, as_staff from unnest(${users}::uuid[], ${roles}::boolean[]) as r (user_id, as_staff)),
    cursor as (
      insert into live_cursors as c (user_id, last_seq) select user_id, 1 from recipient order by user_id
      on conflict (user_id) do update set last_seq = c.last_seq + 1
      returning user_id, last_seq),
    written as (
      insert into live_events (user_id, seq, type, payload, staff_only)
      select user_id, last_seq, ${event.type}, ${event.payload}::jsonb, as_staff from cursor join recipient using (user_id)
      returning user_id)
    select pg_notify(${CHANNEL}, user_id::text) from written`.execute(tx)
}

export type Reader = { session_id: bigint; generation: number; after: number | undefined }

export type Reading = {
  /** The reader's place in the list that was asked for. */
  place: number
  /** The session is there, with these tokens, and its user is active. */
  alive: boolean
  is_staff: boolean
  last_seq: number
  events: { seq: number; type: string; payload: Record<string, unknown> }[]
}

/**
 * The unseen events of each of these readers, if they still may see them: one statement for all of them, so that the
 * rights are of the very moment of the events. Staff's news are a hole in the log for whoever is staff no more.
 */
export async function readFor(app: App, readers: readonly Reader[], limit: number): Promise<Reading[]> {
  const sessions = readers.map((reader) => String(reader.session_id))
  const generations = readers.map((reader) => reader.generation)
  const afters = readers.map((reader) => reader.after ?? null)
  const result = await sql<Reading>`
    select w.place::int as place, u.id is not null as alive, coalesce(u.is_staff, false) as is_staff,
      coalesce(c.last_seq, 0)::float8 as last_seq, coalesce(e.events, '[]') as events
    from unnest(${sessions}::bigint[], ${generations}::int[], ${afters}::bigint[])
      with ordinality as w (session_id, generation, after, place)
    left join sessions s on s.id = w.session_id and s.generation = w.generation and ${isLive(app)}
    left join users u on u.id = s.user_id and u.is_active
    left join live_cursors c on c.user_id = u.id
    left join lateral (
      select json_agg(json_build_object('seq', seq, 'type', type, 'payload', payload) order by seq) as events
      from (select seq, type, payload from live_events
            where user_id = u.id and c.last_seq > w.after and seq > w.after
              and (u.is_staff or not staff_only) order by seq limit ${limit}) as news
    ) e on true`.execute(app.db)
  return result.rows
}

/** A browser that was away for longer than an hour reloads its pages. Cursors stay: a number is never given twice. */
export async function sweepEvents({ db }: App): Promise<void> {
  await db
    .deleteFrom('live_events')
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}
