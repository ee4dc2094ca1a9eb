import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { decide, storeMail } from '#features/support/mail/server/received-queries.ts'
import type { Kind } from '#features/notifications/rules.ts'
import type { Face } from '#features/support/ratings/rules.ts'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

// These queries write what happened at the desk in the past, as the owner of the tables.

export type PastRating = { ticket_id: bigint; user_id: string; face: Face; word: string; at: Date }

export async function insertPastRating(
  tx: Tx,
  { ticket_id, user_id, face, word, at }: PastRating,
): Promise<void> {
  await sql`insert into ticket_ratings (ticket_id, user_id, face, word, rated_at)
    values (${ticket_id}, ${user_id}::uuid, ${face}, ${word}, ${at})`.execute(tx)
}

type Happened = { author_id: string; at: Date; event: { code: string; params: Record<string, string> } }

/** Adds an event line of staff behind all lines of a ticket. */
export async function appendEvent(
  tx: Tx,
  ticket_id: bigint,
  { author_id, at, event }: Happened,
): Promise<void> {
  await sql`
    with numbered as (
      update tickets set staff_seq = staff_seq + 1, customer_seq = customer_seq + 1, last_message_at = ${at}
      where id = ${ticket_id} returning id, user_id, staff_seq, customer_seq)
    insert into ticket_messages (ticket_id, user_id, seq, customer_seq, author_id, by_staff, kind, text, event, created_at)
    select id, user_id, staff_seq, customer_seq, ${author_id}::uuid, true, 'event', '', ${JSON.stringify(event)}::jsonb, ${at}::timestamptz
    from numbered`.execute(tx)
}

/** Sets the time since which a ticket that was split off exists and waits for its customer. */
export async function backdateTicket(tx: Tx, ticket_id: bigint, at: Date): Promise<void> {
  await sql`update tickets set created_at = ${at}, pending_since = ${at}
    where id = ${ticket_id}`.execute(tx)
}

export type PostedMail = {
  ticket_id: bigint
  seq: number
  user_id: string
  from: { email: string; name: string }
  subject: string
  answer: string
  quoted: string
  at: Date
}

/** Keeps the mail that became a message, as the mailbox does. */
export async function keepPostedMail(tx: Tx, mail: PostedMail): Promise<void> {
  const { ticket_id, seq: message_seq, user_id, from, subject, answer, at } = mail
  const whole_text = mail.quoted === '' ? answer : `${answer}\n\n${mail.quoted}`
  const content = Buffer.from(
    `From: ${from.name} <${from.email}>\r\nSubject: ${subject}\r\n\r\n${whole_text}\r\n`,
  )
  const digest = createHash('sha256').update(content).digest()
  const id = must(await storeMail(tx, { digest, way: 'imap', recipient: null, content }))
  const about = {
    from_address: from.email,
    from_name: from.name,
    subject,
    whole_text,
    answer,
    file_names: [],
  }
  await decide(tx, id, about, { state: 'posted', reason: null, user_id, ticket_id, message_seq })
  await sql`update received_mails set received_at = ${at}, decided_at = ${at} where id = ${id}::uuid`.execute(
    tx,
  )
}

export type PastNews = {
  user_id: string
  kind: Kind
  thing: string
  link: string
  facts: Record<string, string>
  count?: number
  happened_at: Date
  read_at?: Date | null
}

/** Writes notifications of the past. */
export async function insertPastNews(tx: Tx, news: readonly PastNews[]): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, thing, link, facts, count, happened_at, read_at)
    select n.user_id, n.kind, n.thing, n.link, n.facts, coalesce(n.count, 1), n.happened_at, n.read_at
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as n (
      user_id uuid, kind text, thing text, link text, facts jsonb, count int, happened_at timestamptz, read_at timestamptz)`.execute(
    tx,
  )
}
