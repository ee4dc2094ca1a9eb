import { sql } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** The list of the operator has the id of no account. */
export const OPERATOR = '00000000-0000-0000-0000-000000000000'

/** An event that is to be written into the list of an account, of the operator, or both. */
export type NewRow = {
  list: string | null
  for_operator: boolean
  type: string
  body: string
  host_id: string | null
  /** The account that it is about, in the list of the operator. */
  customer_id: string | null
}

/** Writes events into the lists that are read. It goes with the commit, so that a list is locked no longer than that. */
export async function insertEvents(tx: Tx, rows: readonly NewRow[]): Promise<void> {
  const [first] = rows
  if (first && rows.length === 1) return insertEvent(tx, first)
  const each = rows.flatMap(({ list, for_operator, customer_id, ...row }) => [
    ...(list === null ? [] : [{ ...row, owner: list, customer_id: null }]),
    ...(for_operator ? [{ ...row, owner: OPERATOR, customer_id }] : []),
  ])
  const all = (name: keyof (typeof each)[number]) => each.map((row) => row[name])
  await sql`/* with COMMIT */ select record_account_events(${arrayOf(all('owner'), 'uuid')}, ${arrayOf(all('type'), 'text')},
    ${arrayOf(all('body'), 'text')}, ${arrayOf(all('host_id'), 'text')}, ${arrayOf(all('customer_id'), 'uuid')})`.execute(
    tx,
  )
}

/** Writes one event, as most transactions do: in half of the time. */
async function insertEvent(tx: Tx, row: NewRow): Promise<void> {
  await sql`/* with COMMIT */ select record_account_event(${row.list}::uuid, ${row.type}::text, ${row.body}::text, ${row.host_id}::text,
    ${row.for_operator}::boolean, ${row.customer_id}::uuid)`.execute(tx)
}

/** The lists that began after an epoch, and the epoch of this moment. Lists that ended a moment ago count too: a process may be late. */
export async function listsSince(tx: Tx, known: bigint): Promise<{ epoch: bigint; owners: string[] }> {
  const { rows } = await sql<{ epoch: bigint; owners: string[] }>`
    select epoch, (
      select coalesce(array_agg(user_id), '{}') from account_event_lists
      where epoch > ${known} and read_until > now() - interval '1 day') as owners
    from account_event_epoch`.execute(tx)
  return must(rows[0])
}

/** A committed event of a list. */
export type AccountEventRow = {
  user_id: string
  seq: number
  type: string
  data: Record<string, unknown>
  /** The public id of the server that it is about. */
  host_id: string | null
  /** The account that it is about, in the list of the operator. */
  customer_id: string | null
  occurred_at: Date
}

/** Some kinds, and the servers of a helper who helps with some; undefined for all. */
export type EventFilter = { types?: readonly string[] | undefined; hosts?: readonly string[] | undefined }

type Page = { last: number; begins: number; events: AccountEventRow[] }

type Joined = { last: bigint; begins: bigint; seq: bigint | null } & Omit<AccountEventRow, 'seq'>

/**
 * The events after a number, and where the list begins and ends: in one statement, so that the numbers up to `last` are all looked at.
 * Undefined for an account without a list.
 */
export async function readAfter(
  db: Db,
  owner: string,
  { after, types, hosts, limit }: EventFilter & { after: number | undefined; limit: number },
): Promise<Page | undefined> {
  const { rows } = await sql<Joined>`
    select l.last_seq as last, greatest(l.begins, coalesce(oldest - 1, l.last_seq)) as begins, e.*
    from account_event_lists l
    cross join lateral (select min(seq) as oldest from account_events where user_id = l.user_id) as kept
    left join lateral (
      select user_id, seq, type, data, host_id, customer_id, occurred_at from account_events
      where user_id = l.user_id and seq > ${after ?? 0}::bigint and seq <= l.last_seq
        and (${types ?? null}::text[] is null or type = any (${types ?? null}::text[]))
        and (${hosts ?? null}::text[] is null or host_id = any (${hosts ?? null}::text[]))
      order by seq limit ${limit}) as e on true
    where l.user_id = ${owner} order by e.seq`.execute(db)
  const first = rows[0]
  if (!first) return undefined
  const events = rows.flatMap(({ last: _last, begins: _begins, seq, ...row }) =>
    seq === null ? [] : [{ ...row, seq: Number(seq) }],
  )
  return { last: Number(first.last), begins: Number(first.begins), events }
}

/** The number before the first event that occurred at a time or later. */
export async function numberAt(db: Db, owner: string, time: Date): Promise<number> {
  const { rows } = await sql<{ seq: bigint | null }>`
    select coalesce(
      (select max(seq) from account_events where user_id = ${owner} and occurred_at < ${time}),
      (select min(seq) - 1 from account_events where user_id = ${owner}),
      (select last_seq from account_event_lists where user_id = ${owner})) as seq`.execute(db)
  return Number(rows[0]?.seq ?? 0)
}

export async function readOne(db: Db, owner: string, seq: number): Promise<AccountEventRow | undefined> {
  const page = await readAfter(db, owner, { after: seq - 1, limit: 1 })
  const found = page?.events[0]
  return found?.seq === seq ? found : undefined
}

/** The newest number of each of these lists; in that of the operator also events that wait for theirs. */
export async function newestNumbers(db: Db, owners: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; last_seq: bigint }>`
    select user_id, last_seq + case when user_id = ${OPERATOR}::uuid then (select count(*) from operator_events_waiting) else 0 end as last_seq
    from account_event_lists where user_id = any (${arrayOf(owners, 'uuid')})`.execute(db)
  return new Map(rows.map(({ user_id, last_seq }) => [user_id, Number(last_seq)]))
}

/** The public ids of the servers that a grant opens. */
export async function hostsOpened(db: Db, grant_id: string): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from hosts_of_grant(${grant_id}::uuid)`.execute(db)
  return rows.map(({ public_id }) => public_id)
}

export const sweepEvents = async ({ db }: Pick<App, 'db'>): Promise<void> =>
  void (await sql`select sweep_account_events()`.execute(db))

export const eraseEvents = async (tx: Tx, user_id: string): Promise<void> =>
  void (await sql`select erase_account_events(${user_id}::uuid)`.execute(tx))

export type EventsToRedact = {
  account: string
  type: string
  /** The part that the data of the events holds, as `@>` of PostgreSQL compares. */
  holding: object
  /** The values that stand instead of the same names of the data. */
  instead: object
}

/** Replaces what the lists hold of a thing whose content was removed. Returns the list and the number of each event. */
export async function redactEvents(
  tx: Tx,
  { account, type, holding, instead }: EventsToRedact,
): Promise<{ list_id: string; seq: number }[]> {
  const { rows } = await sql<{ list_id: string; seq: bigint }>`
    select list_id, event_seq as seq from redact_account_events(${account}::uuid, ${type}, ${JSON.stringify(holding)}::jsonb,
      ${JSON.stringify(instead)}::jsonb)`.execute(tx)
  return rows.map(({ list_id, seq }) => ({ list_id, seq: Number(seq) }))
}
