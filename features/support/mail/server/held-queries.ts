import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { HeldReason } from '#features/support/mail/rules.ts'

type Db = App['db']

export type HeldRow = {
  id: string
  from_address: string | null
  from_name: string | null
  subject: string | null
  answer: string | null
  file_names: string[]
  received_at: Date
  reason: HeldReason
  user_id: string | null
  ticket_id: bigint | null
  chat_id: string | null
  number: number | null
  ticket_subject: string | null
  owner_id: string | null
}

const held = sql`select m.id, m.from_address, m.from_name, m.subject, m.answer, m.file_names, m.received_at, m.reason, m.user_id, m.ticket_id,
  t.public_id as chat_id, t.number, t.subject as ticket_subject, t.user_id as owner_id
  from received_mails m left join tickets t on t.id = m.ticket_id`

type Place = { after: readonly [at: string, id: string] | undefined; limit: number }

/** The mails that wait for a decision, the oldest first. */
export async function heldMails(db: Db, { after, limit }: Place): Promise<HeldRow[]> {
  const place = after ? sql`and (m.received_at, m.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``
  const { rows } = await sql<HeldRow>`${held} where m.state = 'held' ${place}
    order by m.received_at, m.id limit ${limit}`.execute(db)
  return rows
}

/** The answers of others to mails of a person in a ticket, about which that person is asked. */
export async function answersOfOthers(db: Db, user_id: string, ticket_id: bigint): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`${held} where m.state = 'held' and m.reason = 'third_person'
    and m.user_id = ${user_id} and m.ticket_id = ${ticket_id} order by m.received_at, m.id limit 20`.execute(
    db,
  )
  return rows
}

export type HeldContent = HeldRow & { content: Buffer; digest: Buffer; address_id: bigint | null }

/** Returns a held mail with its bytes, not locked. */
export async function heldMail(db: Db, id: string): Promise<HeldContent | undefined> {
  const { rows } = await sql<HeldContent>`
    select h.*, c.content, c.digest, c.address_id from (${held}) h join received_mails c on c.id = h.id
    where c.id = ${id} and c.state = 'held'`.execute(db)
  return rows[0]
}

type End = {
  state: 'posted' | 'discarded'
  by: string
  ticket_id?: bigint | null
  message_seq?: number | null
}

/** Writes down what somebody decided about a held mail. */
export async function endHeld(
  tx: Tx,
  id: string,
  { state, by, ticket_id = null, message_seq = null }: End,
): Promise<void> {
  await sql`update received_mails set state = ${state}, decided_at = now(), decided_by = ${by}, content = null,
    ticket_id = coalesce(${ticket_id}, ticket_id), message_seq = ${message_seq},
    whole_text = case when ${state} = 'posted' then whole_text end, answer = case when ${state} = 'posted' then answer end
    where id = ${id}`.execute(tx)
}

/** Blocks a sender and discards what is held of them; returns the ids of these mails. */
export async function blockSender(tx: Tx, email: string, by: string): Promise<void> {
  await sql`insert into blocked_senders (address, blocked_by) values (${email}, ${by}) on conflict do nothing`.execute(
    tx,
  )
  await sql`update received_mails set state = 'discarded', decided_at = now(), decided_by = ${by}, content = null,
    whole_text = null, answer = null where from_address = ${email} and state = 'held'`.execute(tx)
}

/** Returns the whole mail that became a message: of a person alone, or for staff. */
export async function wholeMail(
  db: Db,
  { ticket_id, seq, reader }: { ticket_id: bigint; seq: number; reader: string | undefined },
): Promise<{ subject: string | null; whole_text: string | null; received_at: Date } | undefined> {
  const { rows } = await sql<{ subject: string | null; whole_text: string | null; received_at: Date }>`
    select r.subject, r.whole_text, r.received_at from received_mails r
    join ticket_messages m on m.ticket_id = r.ticket_id and m.seq = r.message_seq
    where r.state = 'posted' and r.ticket_id = ${ticket_id}
      and (${reader ?? null}::uuid is null and m.seq = ${seq} or m.customer_seq = ${seq} and m.author_id = ${reader ?? null}::uuid)`.execute(
    db,
  )
  return rows[0]
}

/** Erases the text of the mail that became a message, which is redacted. */
export async function redactMail(tx: Tx, ticket_id: bigint, seq: number): Promise<void> {
  await sql`update received_mails set whole_text = null, answer = null, subject = null, file_names = '{}'
    where ticket_id = ${ticket_id} and message_seq = ${seq} and state = 'posted'`.execute(tx)
}
