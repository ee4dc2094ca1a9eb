import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type ClosedTicket = {
  public_id: string
  number: number
  subject: string
  user_id: string
  closed_at: Date
}

/**
 * Notes that the customer is told of the closing of a ticket. Undefined if they were told before, or need not be: it is open again, spam or
 * merged, or its customer closed it.
 */
export async function noteClosing(tx: Tx, id: bigint): Promise<ClosedTicket | undefined> {
  const { rows } = await sql<ClosedTicket>`
    update tickets t set warned_of = closed_at
    where id = ${id}::bigint and status = 'closed' and spam_at is null and merged_into_id is null
      and warned_of is distinct from closed_at
      and (select by_staff or author_id is null from ticket_messages m
        where m.ticket_id = t.id and m.kind = 'event' and m.event ->> 'code' in ('closed', 'auto_closed')
        order by m.seq desc limit 1)
    returning public_id, number, subject, user_id, closed_at`.execute(tx)
  return rows[0]
}
