import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailDue, newTicketMails } from '#features/support/messages/rules.ts'

type Db = Kysely<Database>

type Times = { now: number; first_unmailed: number; last_mailed: number | null }

/**
 * Plans the mail of a reply; the caller has locked the ticket's row. `seq` is in the customer's count. Times
 * are seconds of the database's clock.
 */
export async function planReplyMail(
  tx: Tx,
  { ticket_id, user_id, seq }: { ticket_id: bigint; user_id: string; seq: number },
): Promise<void> {
  const { rows } = await sql<Times>`
    insert into ticket_mails as told (ticket_id, user_id, seq, reply_seq, first_unmailed_at, due_at)
    values (${ticket_id}, ${user_id}, 0, ${seq}, now(), now())
    on conflict (ticket_id) do update set reply_seq = ${seq},
      first_unmailed_at = coalesce(told.first_unmailed_at, now()), due_at = coalesce(told.due_at, now())
    returning extract(epoch from now())::float8 as now,
      extract(epoch from told.first_unmailed_at)::float8 as first_unmailed,
      extract(epoch from told.last_mailed_at)::float8 as last_mailed`.execute(tx)
  const { now, first_unmailed, last_mailed } = must(rows[0])
  const due = mailDue({ first_unmailed, last_mailed: last_mailed ?? undefined }, now)
  await sql`update ticket_mails set due_at = to_timestamp(${due}::float8) where ticket_id = ${ticket_id}`.execute(
    tx,
  )
}

/** True if a mail about replies up to `seq` is due, or was sent and keeps the next one at its distance. */
export async function hasReplyMail(tx: Tx, ticket_id: bigint, seq: number): Promise<boolean> {
  const { rows } = await sql`
    select from ticket_mails where ticket_id = ${ticket_id} and reply_seq <= ${seq}
      and (first_unmailed_at is not null or last_mailed_at is not null)`.execute(tx)
  return rows.length > 0
}

/**
 * Cancels the due mail of a ticket, unless a reply after `seq` waits: everybody on the customer's side has read up to `seq`. The next mail
 * then need not keep its distance from the last one.
 */
export async function forgetReplyMail(tx: Tx, ticket_id: bigint, seq: number): Promise<void> {
  await tx
    .updateTable('ticket_mails')
    .set({ first_unmailed_at: null, due_at: null, last_mailed_at: null })
    .where('ticket_id', '=', ticket_id)
    .where('reply_seq', '<=', seq)
    .execute()
}

export type DueMail = { ticket_id: bigint; user_id: string; seq: number }

/** Locks one ticket with a due mail, if there is any that no other process has locked. */
export async function lockDueMail(tx: Tx): Promise<DueMail | undefined> {
  return tx
    .selectFrom('ticket_mails')
    .select(['ticket_id', 'user_id', 'seq'])
    .where('due_at', '<=', sql<Date>`now()`)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/**
 * Notes that no mail is due any more. `seq` is the number of the last reply that was mailed just now; it is absent if nothing was mailed.
 */
export async function noteMailed(tx: Tx, ticket_id: bigint, seq?: number): Promise<void> {
  await tx
    .updateTable('ticket_mails')
    .set({
      first_unmailed_at: null,
      due_at: null,
      ...(seq === undefined ? {} : { seq, last_mailed_at: sql<Date>`now()` }),
    })
    .where('ticket_id', '=', ticket_id)
    .execute()
}

/** Plans the mail about all unread replies anew: a mail about them was stopped. */
export async function mailAgain(tx: Tx, ticket_id: bigint): Promise<void> {
  await tx
    .updateTable('ticket_mails')
    .set({ seq: 0, first_unmailed_at: sql<Date>`now()`, due_at: sql<Date>`now()` })
    .where('ticket_id', '=', ticket_id)
    .execute()
}

export async function putOffMail(tx: Tx, ticket_id: bigint): Promise<void> {
  await tx
    .updateTable('ticket_mails')
    .set({ due_at: sql<Date>`now() + interval '5 minutes'` })
    .where('ticket_id', '=', ticket_id)
    .where('due_at', 'is not', null)
    .execute()
}

/** Records a new ticket, about which staff have not been mailed yet. */
export async function noteNewTicket(
  tx: Tx,
  { ticket_id, user_id }: { ticket_id: bigint; user_id: string },
): Promise<void> {
  await sql`insert into new_ticket_mails (ticket_id, user_id, opened_at)
    values (${ticket_id}, ${user_id}, clock_timestamp())`.execute(tx)
}

/**
 * True if staff are mailed about a new ticket at once, because it is among the first `at_once` within `within_s` seconds; the ticket is
 * then marked as mailed. Tickets that were mailed already count even if they were opened later, because the job of the ticket that was
 * opened first may run last. Callers take turns by a lock, or each of many at once would be among the first. A second call for the same
 * ticket returns false.
 */
export async function isMailedAtOnce(tx: Tx, ticket_id: bigint): Promise<boolean> {
  const { rows } = await sql`
    update new_ticket_mails as mine set mailed_at = clock_timestamp()
    where ticket_id = ${ticket_id} and mailed_at is null and ${newTicketMails.at_once}::integer > (
      select count(*) from new_ticket_mails other
      where other.ticket_id <> mine.ticket_id
        and other.opened_at > clock_timestamp() - make_interval(secs => ${newTicketMails.within_s})
        and (other.mailed_at is not null or (other.opened_at, other.ticket_id) < (mine.opened_at, mine.ticket_id)))
    returning ticket_id`.execute(tx)
  return rows.length > 0
}

export type NewTicket = { ticket_id: bigint; user_id: string }

/**
 * Returns the new tickets about which staff have not been mailed, once the first of them has waited for `within_s` seconds; before that,
 * none.
 */
export async function unmailedTickets(db: Db): Promise<NewTicket[]> {
  const { rows } = await sql<NewTicket & { is_due: boolean }>`
    select ticket_id, user_id,
      min(opened_at) over () <= clock_timestamp() - make_interval(secs => ${newTicketMails.within_s}) as is_due
    from new_ticket_mails where mailed_at is null order by opened_at, ticket_id`.execute(db)
  return rows.filter(({ is_due }) => is_due).map(({ ticket_id, user_id }) => ({ ticket_id, user_id }))
}

export async function noteMailedAtOnce(tx: Tx, ticket_ids: readonly bigint[]): Promise<void> {
  await tx
    .updateTable('new_ticket_mails')
    .set({ mailed_at: sql<Date>`now()` })
    .where('ticket_id', 'in', [...ticket_ids])
    .execute()
}

/** Deletes records of tickets that were mailed more than a day ago: `isMailedAtOnce` looks only at the last minutes. */
export async function forgetNewTickets(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('new_ticket_mails')
    .where('mailed_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}
