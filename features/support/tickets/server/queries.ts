import { sql, type Kysely, type Selectable } from 'kysely'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { must } from '#foundation/must.ts'
import type { Database, Tickets } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Status, Topic } from '#features/support/tickets/rules.ts'
import { inScopes, holds } from './scope-queries.ts'
import { noSpam } from './spam-queries.ts'
import type { TicketScope } from './ticket-scope.ts'

type Db = Kysely<Database>

// Lists are sorted by these times, and a cursor holds milliseconds.
const now = sql<Date>`date_trunc('milliseconds', now())`

export type TicketRow = Selectable<Tickets> & { status: Status; topic: Topic }

/** Returns the ticket with this public id if it belongs to the reader; with `any`, also a ticket of another customer. */
export const ticketOf = (
  db: Db,
  public_id: string,
  { user_id, any }: { user_id: string; any: boolean },
): Promise<TicketRow | undefined> => openTicket(db, { public_id, owner: any ? null : user_id })

const openTicket = batchedRows(
  async (db: Db, asked: readonly { public_id: string; owner: string | null }[]) => {
    const { rows } = await sql<TicketRow & { place: number }>`
      select asked.place::int as place, t.* from unnest(
        ${arrayOf(
          asked.map(({ public_id }) => public_id),
          'text',
        )}, ${arrayOf(
          asked.map(({ owner }) => owner),
          'uuid',
        )}
      ) with ordinality as asked (public_id, owner, place)
      join tickets t on t.public_id = asked.public_id and t.user_id = coalesce(asked.owner, t.user_id)`.execute(
      db,
    )
    const found = new Map(rows.map(({ place, ...row }) => [place, row]))
    return asked.map((_, place) => found.get(place + 1))
  },
)

/** Returns tickets of all customers by their public ids. */
export async function ticketsByPublicId(
  db: Db,
  public_ids: readonly string[],
): Promise<Map<string, TicketRow>> {
  const rows = await db
    .selectFrom('tickets')
    .selectAll()
    .where((row) => sql<boolean>`${row.ref('public_id')} = any(${[...new Set(public_ids)]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.public_id, row]))
}

/** Like `ticketOf`, and locks the ticket until the transaction ends, so that writers of messages and of status changes take turns. */
export async function lockTicket(
  tx: Tx,
  public_id: string,
  reader: { user_id: string; any: boolean },
): Promise<TicketRow | undefined> {
  const row = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('public_id', '=', public_id)
    .$if(!reader.any, (query) => query.where('user_id', '=', reader.user_id))
    .forUpdate()
    .executeTakeFirst()
  return row
}

export async function lockTicketById(tx: Tx, id: bigint): Promise<TicketRow | undefined> {
  const row = await tx.selectFrom('tickets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row
}

/** Locks and returns the open tickets of an assignee, in the order of their ids, so that two transactions cannot block each other. */
export async function lockTicketsOfAssignee(tx: Tx, user_id: string): Promise<TicketRow[]> {
  const rows = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('assignee_id', '=', user_id)
    .where('status', '<>', 'closed')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows
}

/** Returns the number of open tickets by assignee; people who have none are left out. */
export async function openTicketsOf(db: Db, user_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('tickets')
    .select(['assignee_id', sql<number>`count(*)::int`.as('count')])
    .where((row) => sql<boolean>`${row.ref('assignee_id')} = any(${[...user_ids]}::uuid[])`)
    .where('status', '<>', 'closed')
    .groupBy('assignee_id')
    .execute()
  return new Map(rows.map(({ assignee_id, count }) => [assignee_id ?? '', count]))
}

/** The ticket, locked, if it has waited for its customer for this number of days; undefined if it does not wait (any more), or sleeps. */
export async function lockInactiveTicket(tx: Tx, id: bigint, days: number): Promise<TicketRow | undefined> {
  const row = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('pending_since', '<=', sql<Date>`now() - make_interval(days => ${days})`)
    .where('snoozed_until', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row
}

/** Notes that the customer is warned about the present wait. Returns false if they were warned about it before. */
export async function noteWarning(tx: Tx, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tickets')
    .set((row) => ({ warned_of: row.ref('pending_since') }))
    .where('id', '=', id)
    .where((row) => sql<boolean>`${row.ref('warned_of')} is distinct from ${row.ref('pending_since')}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function ticketByClientId(
  db: Db,
  user_id: string,
  client_id: string,
): Promise<TicketRow | undefined> {
  const row = await db
    .selectFrom('tickets')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row
}

export type NewTicket = {
  public_id: string
  user_id: string
  host_id: bigint | null
  host_public_id: string | null
  subject: string
  topic: TicketRow['topic']
  priority: TicketRow['priority']
  previous_id: bigint | null
  client_id: string | null
}

/** Returns undefined if this `client_id` was used already, also by a transaction that commits during this call. */
export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<TicketRow | undefined> {
  const row = await tx
    .insertInto('tickets')
    .values({ ...ticket, waiting_since: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row
}

export type TicketChange = {
  status?: Status
  assignee_id?: string | null
  priority?: string
  topic?: string
  /** Only with the status `closed`. */
  is_spam?: true
}

/** Changes the named fields; the times of waiting, answering and closing follow the status. */
export async function updateTicket(tx: Tx, id: bigint, change: TicketChange): Promise<TicketRow> {
  const { status, assignee_id, priority, topic, is_spam } = change
  const spam_at = is_spam ? now : status && status !== 'closed' ? unset : undefined
  const columns = { status, assignee_id, priority, topic, spam_at, ...(status ? times[status] : {}) }
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  const row = await tx
    .updateTable('tickets')
    .set(given)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row
}

const unset = sql<null>`null`
const awake = { snoozed_at: unset, snoozed_until: unset }
const withStaff = {
  waiting_since: sql<Date>`coalesce(waiting_since, ${now})`,
  pending_since: unset,
  closed_at: unset,
}
const times = {
  opened: withStaff,
  'in-progress': withStaff,
  pending: {
    waiting_since: unset,
    pending_since: sql<Date>`coalesce(pending_since, ${now})`,
    closed_at: unset,
  },
  closed: {
    ...awake,
    waiting_since: unset,
    pending_since: unset,
    closed_at: sql<Date>`coalesce(closed_at, ${now})`,
  },
}

/** Notes a reply of staff: sets the time of the first reply, and restarts the time that the customer has to reply. */
export async function noteAnswer(tx: Tx, id: bigint): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ first_reply_at: sql<Date>`coalesce(first_reply_at, ${now})`, pending_since: now })
    .where('id', '=', id)
    .execute()
}

export type TicketList = {
  tab: readonly Status[] | undefined
  scopes: readonly TicketScope[]
  host_public_id: string | undefined
  q?: string | undefined
  /** True for staff, who find spam in a tab of its own. */
  withoutSpam?: boolean
  before: { at: string; id: string } | undefined
  limit: number
}

/** The tickets in these scopes, sorted by their latest message, the newest first. */
export async function ticketsOf(
  db: Db,
  { tab, scopes, host_public_id, q, withoutSpam, before, limit }: TicketList,
): Promise<TicketRow[]> {
  let query = db.selectFrom('tickets').selectAll().where(inScopes(scopes))
  if (tab) query = query.where('status', 'in', [...tab])
  if (host_public_id !== undefined) query = query.where('host_public_id', '=', host_public_id)
  if (q !== undefined) query = query.where(holds(q))
  if (withoutSpam) query = query.where(noSpam(sql.table('tickets')))
  if (before)
    query = query.where(
      sql<boolean>`(last_message_at, id) < (${before.at}::timestamptz, ${before.id}::bigint)`,
    )
  return await query.orderBy('last_message_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** The customer and the subject of the ticket with this number. */
export async function ownerOfTicket(
  db: Db,
  number: number,
): Promise<{ user_id: string; subject: string } | undefined> {
  const { rows } = await sql<{ user_id: string; subject: string }>`
    select user_id, subject from tickets where number = ${number}`.execute(db)
  return rows[0]
}

/** Returns how many messages of others a person (the customer or a helper) has not seen in all tickets of the scope, counted up to 100. */
export async function unreadOfCustomer(db: Db, person_id: string, scope: TicketScope): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from tickets
      left join ticket_readers r on r.ticket_id = tickets.id and r.user_id = ${person_id}::uuid
      join ticket_messages m on m.ticket_id = tickets.id and m.customer_seq > coalesce(r.seq, 0)
      where ${inScopes([scope])} and tickets.customer_seq > coalesce(r.seq, 0)
        and m.kind = 'comment' and m.author_id is distinct from ${person_id}::uuid
      limit 100) as few`.execute(db)
  return must(rows[0]).unread
}

export async function previousOf(
  db: Db,
  ids: readonly bigint[],
): Promise<Map<bigint, { id: string; number: number }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('tickets')
    .select(['id', 'public_id', 'number'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, public_id, number }) => [id, { id: public_id, number }]))
}
