import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { TicketRow } from './queries.ts'

/** The fields of a ticket that acts change, as JSON; the times follow the status. */
export const fieldNames = [
  'status',
  'assignee_id',
  'priority',
  'topic',
  'tags',
  'snoozed_at',
  'snoozed_until',
  'waiting_since',
  'pending_since',
  'closed_at',
] as const

/** The fields that say whose turn it is. */
const turnNames: readonly Name[] = [
  'status',
  'snoozed_at',
  'snoozed_until',
  'waiting_since',
  'pending_since',
  'closed_at',
]

type Name = (typeof fieldNames)[number]
/** The fields of a ticket, and `comment_seq`, the number of its customer's last comment, which no act changes. */
export type TicketFields = { [Field in Name | 'comment_seq']?: unknown }

/** The names whose values must be the same when an act that changed these fields is undone. */
export const namesToCompare = (changed: readonly Name[]): (keyof TicketFields)[] =>
  changed.some((name) => turnNames.includes(name)) ? [...changed, 'comment_seq'] : [...changed]

/** Returns the fields of a ticket that acts can change, and the number of its customer's last comment. */
export async function stateFields(tx: Tx, id: bigint): Promise<TicketFields> {
  const { rows } = await sql<{ state: TicketFields }>`
    select (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where key = any(${[...fieldNames]}::text[]))
      || jsonb_build_object('comment_seq', (
        select seq from ticket_messages m where m.ticket_id = t.id and kind = 'comment' and not by_staff order by seq desc limit 1)) as state
    from tickets t where id = ${id}`.execute(tx)
  return rows[0]?.state ?? {}
}

type Undoable = {
  act_id: string
  ticket_id: bigint
  staff_id: string
  before: TicketFields
  after: TicketFields
}

export async function keepForUndo(
  tx: Tx,
  { act_id, ticket_id, staff_id, before, after }: Undoable,
): Promise<void> {
  await sql`insert into acts_to_undo (act_id, ticket_id, staff_id, before, after)
    values (${act_id}::uuid, ${ticket_id}, ${staff_id}::uuid, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb)`.execute(
    tx,
  )
}

/** Returns the public ids of the tickets of an act that its author may still undo. */
export async function ticketsToUndo(
  db: Kysely<Database>,
  { act_id, staff_id, minutes }: { act_id: string; staff_id: string; minutes: number },
): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    select t.public_id from acts_to_undo u join tickets t on t.id = u.ticket_id
    where u.act_id = ${act_id}::uuid and u.staff_id = ${staff_id}::uuid
      and u.created_at > now() - make_interval(mins => ${minutes}) order by t.id`.execute(db)
  return rows.map(({ public_id }) => public_id)
}

/** Takes the note of a ticket out, so that it is undone once; undefined if somebody was faster. */
export async function takeUndo(
  tx: Tx,
  act_id: string,
  ticket_id: bigint,
): Promise<Pick<Undoable, 'before' | 'after'> | undefined> {
  const { rows } = await sql<Pick<Undoable, 'before' | 'after'>>`
    delete from acts_to_undo where act_id = ${act_id}::uuid and ticket_id = ${ticket_id} returning before, after`.execute(
    tx,
  )
  return rows[0]
}

/** Puts fields of a ticket back; names that are no such fields are left out. */
export async function putBack(tx: Tx, id: bigint, before: TicketFields): Promise<TicketRow | undefined> {
  const known = fieldNames.filter((name) => name in before)
  const columns = sql.join(known.map((name) => sql`${sql.ref(name)} = was.${sql.ref(name)}`))
  const { rows } = await sql<TicketRow>`
    update tickets t set ${columns}
    from jsonb_populate_record(null::tickets, ${JSON.stringify(before)}::jsonb) was where t.id = ${id} returning t.*`.execute(
    tx,
  )
  return rows[0]
}

export async function forgetUndone(tx: Tx): Promise<void> {
  await sql`delete from acts_to_undo where created_at < now() - interval '1 hour'`.execute(tx)
}
