import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { TicketRow } from './queries.ts'

/** The ticket to which a message went, as the parameters of an event line are kept. */
type Went = { id: string; number: string }

/** Moves comments and notes from a number on to another ticket, and leaves a line in each place. Secrets go with them. Returns how many went. */
export async function moveMessages(
  tx: Tx,
  ticket: TicketRow,
  from_seq: number,
  to: TicketRow,
): Promise<number> {
  const went: Went = { id: to.public_id, number: String(to.number) }
  await sql`update ticket_secrets set ticket_id = ${to.id} where id in (
    select secret_id from ticket_messages where ticket_id = ${ticket.id} and seq >= ${from_seq}::integer and secret_id is not null)`.execute(
    tx,
  )
  const { rows } = await sql<{ moved: number }>`
    select split_off(${ticket.id}, ${from_seq}::integer, ${to.id}, ${JSON.stringify(went)}::jsonb) as moved`.execute(
    tx,
  )
  return rows[0]?.moved ?? 0
}

/** Returns the comments that went from a ticket to another one, in order, with their numbers of before in the customer's count. */
export async function movedComments(
  tx: Tx,
  ticket_id: bigint,
  { public_id }: TicketRow,
): Promise<{ customer_seq: number; by_staff: boolean }[]> {
  const { rows } = await sql<{ customer_seq: number; by_staff: boolean }>`
    select customer_seq, by_staff from ticket_messages
    where ticket_id = ${ticket_id} and moved ->> 'id' = ${public_id} and kind = 'event' order by seq`.execute(
    tx,
  )
  return rows
}

/** The comments before a number, and whether the message with the number is one that can go. */
export async function aroundMessage(
  tx: Tx,
  ticket_id: bigint,
  seq: number,
): Promise<{ before: boolean; isComment: boolean }> {
  const { rows } = await sql<{ before: boolean; isComment: boolean }>`
    select exists (select from ticket_messages where ticket_id = ${ticket_id} and seq < ${seq}::integer and kind = 'comment') as before,
      exists (select from ticket_messages where ticket_id = ${ticket_id} and seq = ${seq}::integer and kind = 'comment') as "isComment"`.execute(
    tx,
  )
  return rows[0] ?? { before: false, isComment: false }
}

export type Times = { waiting_since: Date | null; first_reply_at: Date | null }

/**
 * The times of a ticket as its comments tell them: since when its customer waits for an answer, if so, and when staff first answered. The
 * customer also waits for the answer to a ticket that was merged into this one while it waited, until staff answer here.
 */
export async function timesOf(tx: Tx, ticket_id: bigint): Promise<Times> {
  const { rows } = await sql<Times & { comments: number }>`
    with comments as (
      select seq, by_staff, created_at from ticket_messages where ticket_id = ${ticket_id} and kind = 'comment'),
    answer as (select seq, created_at from comments where by_staff order by seq desc limit 1)
    select count(*)::int as comments,
      least(
        min(created_at) filter (where seq > coalesce((select seq from answer), 0)),
        (select min(merged_at) from ticket_merges where into_id = ${ticket_id} and before ->> 'waiting_since' is not null
          and merged_at > coalesce((select created_at from answer), '-infinity'))) as waiting_since,
      min(created_at) filter (where by_staff and seq > 1) as first_reply_at
    from comments`.execute(tx)
  const times = must(rows[0])
  if (times.comments === 0) throw new Error('a ticket has no comments')
  return times
}

export async function setTimes(tx: Tx, id: bigint, { waiting_since, first_reply_at }: Times): Promise<void> {
  await sql`update tickets set first_reply_at = ${first_reply_at}::timestamptz, waiting_since = ${waiting_since}::timestamptz
    where id = ${id}`.execute(tx)
}
