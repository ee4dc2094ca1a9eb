import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Erases a customer's tickets and messages; numbers are not reused. A ticket that a hold keeps is erased when the hold has ended. */
export async function eraseTicketsOf(tx: Tx, user_id: string): Promise<void> {
  await sql`insert into tickets_to_erase (ticket_id, user_id)
    select id, user_id from tickets where user_id = ${user_id} and is_on_hold(created_at, last_message_at)
    on conflict do nothing`.execute(tx)
  await sql`delete from tickets where user_id = ${user_id} and not is_on_hold(created_at, last_message_at)`.execute(
    tx,
  )
}

/** Erases the tickets of deleted accounts that a hold has kept, once none keeps them. */
export async function eraseReleasedTickets(tx: Tx): Promise<void> {
  await sql`delete from tickets using tickets_to_erase e
    where e.ticket_id = tickets.id and not is_on_hold(tickets.created_at, tickets.last_message_at)`.execute(
    tx,
  )
}
