import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { UNDO_DAYS } from '#features/support/tickets/rules.ts'
import type { TicketRow } from './queries.ts'

type Db = Kysely<Database>
type Merges = Pick<Ticket, 'merged_into' | 'merged'>

/** Returns the merges of tickets, of those alone that have any: the others cost no statement. Tickets that went to different accounts are none. */
export async function mergesOf(db: Db, tickets: readonly TicketRow[]): Promise<Map<bigint, Merges>> {
  const ids = tickets.flatMap(({ id, merged_into_id, merged_count }) =>
    merged_into_id !== null || merged_count > 0 ? id : [],
  )
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Merge>`
    select m.ticket_id, m.into_id, m.merged_at + make_interval(days => ${UNDO_DAYS}) as undo_until,
      a.public_id as from_public_id, a.number as from_number, b.public_id as into_public_id, b.number as into_number
    from ticket_merges m join tickets a on a.id = m.ticket_id join tickets b on b.id = m.into_id and b.user_id = a.user_id
    where m.ticket_id = any (${arrayOf(ids.map(String), 'bigint')}) or m.into_id = any (${arrayOf(ids.map(String), 'bigint')})
    order by m.merged_at, m.ticket_id`.execute(db)
  return new Map(ids.map((id) => [id, mergesIn(rows, id)]))
}

type Merge = {
  ticket_id: bigint
  into_id: bigint
  undo_until: Date
  from_public_id: string
  from_number: number
  into_public_id: string
  into_number: number
}

function mergesIn(rows: readonly Merge[], id: bigint): Merges {
  const into = rows.find(({ ticket_id }) => ticket_id === id)
  const from = rows.filter(({ into_id }) => into_id === id)
  return {
    ...(into && {
      merged_into: {
        id: into.into_public_id,
        number: into.into_number,
        undo_until: into.undo_until.toISOString(),
      },
    }),
    ...(from.length > 0 && {
      merged: from.map(({ from_public_id, from_number }) => ({ id: from_public_id, number: from_number })),
    }),
  }
}

/** The columns of a ticket that a merge changes, as JSON keeps them. */
export type Kept = {
  status: TicketRow['status']
  assignee_id: string | null
  waiting_since: string | null
  pending_since: string | null
  closed_at: string | null
  snoozed_at?: string | null
  snoozed_until?: string | null
}

export const keptOf = (row: TicketRow): Kept => ({
  status: row.status,
  assignee_id: row.assignee_id,
  waiting_since: row.waiting_since?.toISOString() ?? null,
  pending_since: row.pending_since?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
  snoozed_at: row.snoozed_at?.toISOString() ?? null,
  snoozed_until: row.snoozed_until?.toISOString() ?? null,
})

type NewMerge = { ticket: TicketRow; into: TicketRow; into_after: Kept }

/** Points a ticket to the one that goes on, and keeps how both were. */
export async function insertMerge(tx: Tx, { ticket, into, into_after }: NewMerge): Promise<void> {
  await sql`insert into ticket_merges (ticket_id, user_id, into_id, before, into_before, into_after)
    values (${ticket.id}, ${ticket.user_id}::uuid, ${into.id}, ${JSON.stringify(keptOf(ticket))}::jsonb,
      ${JSON.stringify(keptOf(into))}::jsonb, ${JSON.stringify(into_after)}::jsonb)`.execute(tx)
  await sql`update tickets set merged_into_id = case when id = ${ticket.id} then ${into.id}::bigint else merged_into_id end,
      merged_count = merged_count + case when id = ${into.id} then 1 else 0 end
    where id in (${ticket.id}, ${into.id})`.execute(tx)
}

/** A merge, with the two states as they were; `isLate` once it is older than it can be undone. */
export type MergeRow = { into_id: bigint; before: Kept; into_before: Kept; into_after: Kept; isLate: boolean }

export async function mergeOf(db: Db, ticket_id: bigint): Promise<MergeRow | undefined> {
  const { rows } = await sql<MergeRow>`
    select into_id, before, into_before, into_after, merged_at <= now() - make_interval(days => ${UNDO_DAYS}) as "isLate"
    from ticket_merges where ticket_id = ${ticket_id}`.execute(db)
  return rows[0]
}

/** True if the columns of the ticket that goes on are as the merge left them. */
export function isAsMerged(into: TicketRow, { into_after }: MergeRow): boolean {
  const now = keptOf(into)
  return Object.entries(into_after).every(([name, value]) => Reflect.get(now, name) === value)
}

/** True if the customer has written in the ticket that goes on since another one was merged into it, which a line there tells. */
export async function hasWrittenSince(tx: Tx, into_id: bigint, { public_id }: TicketRow): Promise<boolean> {
  const { rows } = await sql<{ written: boolean }>`
    select exists (
      select from ticket_messages where ticket_id = ${into_id} and kind = 'comment' and not by_staff and seq > (
        select max(seq) from ticket_messages where ticket_id = ${into_id} and kind = 'event'
          and event ->> 'code' = 'merged_from' and event -> 'params' ->> 'id' = ${public_id})) as written`.execute(
    tx,
  )
  return must(rows[0]).written
}

export async function deleteMerge(tx: Tx, ticket_id: bigint, into_id: bigint): Promise<void> {
  await sql`delete from ticket_merges where ticket_id = ${ticket_id}`.execute(tx)
  await sql`update tickets set merged_into_id = case when id = ${ticket_id} then null else merged_into_id end,
      merged_count = merged_count - case when id = ${into_id} then 1 else 0 end
    where id in (${ticket_id}, ${into_id})`.execute(tx)
}

/** Puts the columns back that a merge changed. */
export async function putBack(tx: Tx, id: bigint, kept: Kept): Promise<void> {
  const { status, assignee_id, waiting_since, pending_since, closed_at, snoozed_at, snoozed_until } = kept
  await sql`update tickets set status = ${status}, assignee_id = ${assignee_id}::uuid, waiting_since = ${waiting_since}::timestamptz,
      pending_since = ${pending_since}::timestamptz, closed_at = ${closed_at}::timestamptz,
      snoozed_at = ${snoozed_at ?? null}::timestamptz, snoozed_until = ${snoozed_until ?? null}::timestamptz
    where id = ${id}`.execute(tx)
}
