import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Locks what is known of the mails about replies in a ticket: the last that was mailed. */
export async function lockReplyMail(tx: Tx, ticket_id: bigint): Promise<{ seq: number } | undefined> {
  const { rows } = await sql<{ seq: number }>`
    select seq from ticket_mails where ticket_id = ${ticket_id} for update`.execute(tx)
  return rows[0]
}

type TakenOver = {
  from_id: bigint
  ticket_id: bigint
  user_id: string
  seq: number
  reply_seq: number
  /** True if replies that nobody was mailed about went along: they keep the time of the former ticket, if there is one. */
  waits: boolean
}

/** Gives a ticket that was split off its mails about replies, with the times of the former ticket. */
export async function takeOverReplyMail(
  tx: Tx,
  { from_id, ticket_id, user_id, seq, reply_seq, waits }: TakenOver,
): Promise<void> {
  await sql`
    insert into ticket_mails (ticket_id, user_id, seq, reply_seq, first_unmailed_at, due_at, last_mailed_at)
    select ${ticket_id}, ${user_id}, ${seq}::integer, ${reply_seq}::integer, case when ${waits} then first_unmailed_at end,
      case when ${waits} then due_at end, last_mailed_at
    from ticket_mails where ticket_id = ${from_id} on conflict (ticket_id) do nothing`.execute(tx)
}
