import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { AUTO_CLOSE_DAYS, WARNING_DAYS } from '#features/support/tickets/rules.ts'

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

/**
 * Returns the seconds until the warning and the closing of a ticket, by the time since which it waits for its customer; undefined if it does
 * not wait, or sleeps. A customer who was not warned of this wait has the days between the two in any case.
 */
export async function untilClosing(
  tx: Tx,
  id: bigint,
): Promise<{ warning_s: number; closing_s: number } | undefined> {
  const { rows } = await sql<{ warning_s: number; closing_s: number }>`
    select greatest(0, ${WARNING_DAYS * DAY_S}::float8 - waited_s) as warning_s,
      greatest(case when is_warned then 0 else ${(AUTO_CLOSE_DAYS - WARNING_DAYS) * DAY_S}::float8 end,
        ${AUTO_CLOSE_DAYS * DAY_S}::float8 - waited_s) as closing_s
    from (
      select extract(epoch from now() - pending_since)::float8 as waited_s, warned_of is not distinct from pending_since as is_warned
      from tickets where id = ${id} and status = 'pending' and pending_since is not null and snoozed_until is null) as waiting`.execute(
    tx,
  )
  return rows[0]
}

const DAY_S = 86_400
