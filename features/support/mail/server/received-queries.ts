import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HELD_DAYS, TRACE_DAYS, type DroppedReason, type HeldReason } from '#features/support/mail/rules.ts'

type Db = App['db']

export type NewMail = { digest: Buffer; way: 'imap' | 'pipe'; recipient: string | null; content: Uint8Array }

/** Stores a mail that came in; undefined for one that is stored already. */
export async function storeMail(
  tx: Tx,
  { digest, way, recipient, content }: NewMail,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into received_mails (digest, way, recipient, content)
    values (${digest}, ${way}, ${recipient}, ${Buffer.from(content)}) on conflict (digest) do nothing returning id`.execute(
    tx,
  )
  return rows[0]?.id
}

export type StoredMail = { id: string; digest: Buffer; recipient: string | null; content: Buffer }

/** Returns a mail about which nothing is decided yet. */
export async function newMail(db: Db, id: string): Promise<StoredMail | undefined> {
  const { rows } = await sql<StoredMail>`
    select id, digest, recipient, content from received_mails where id = ${id} and state = 'new'`.execute(db)
  return rows[0]
}

/** Locks a mail in this state; undefined where it is in another one by now. */
export async function lockMail(tx: Tx, id: string, state: 'new' | 'held'): Promise<boolean> {
  const { rows } =
    await sql`select from received_mails where id = ${id} and state = ${state} for update`.execute(tx)
  return rows.length > 0
}

/** Mails whose job was lost: those stored some minutes ago about which nothing is decided. */
export async function forgottenMails(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from received_mails where state = 'new' and received_at < now() - interval '2 minutes'
    order by received_at limit 500`.execute(db)
  return rows.map(({ id }) => id)
}

export type About = {
  from_address: string | null
  from_name: string | null
  subject: string | null
  whole_text: string | null
  answer: string | null
  file_names: readonly string[]
}
type Place = {
  user_id?: string | null
  address_id?: bigint | null
  ticket_id?: bigint | null
  message_seq?: number | null
}
type Decided = Place &
  (
    | { state: 'held'; reason: HeldReason }
    | { state: 'dropped'; reason: DroppedReason }
    | { state: 'posted'; reason: null }
  )

/** Writes down what became of a mail. Its bytes stay only while somebody may decide about it. */
export async function decide(tx: Tx, id: string, about: About, decided: Decided): Promise<void> {
  const { state, reason, user_id = null, address_id = null, ticket_id = null, message_seq = null } = decided
  const isKept = state !== 'dropped'
  await sql`update received_mails set state = ${state}, reason = ${reason}, decided_at = now(),
    content = case when ${state} = 'held' then content end,
    from_address = ${about.from_address}, from_name = ${about.from_name},
    subject = ${isKept ? about.subject : null}, whole_text = ${isKept ? about.whole_text : null},
    answer = ${isKept ? about.answer : null}, file_names = ${isKept ? [...about.file_names] : []}::text[],
    user_id = ${user_id}, address_id = ${address_id}, ticket_id = ${ticket_id}, message_seq = ${message_seq}
    where id = ${id}`.execute(tx)
}

export type Recent = { sender: number; address: number; all: number }

/** Counts what was posted or held within the last hour. */
export async function recentMails(
  tx: Tx,
  { from_address, address_id }: { from_address: string | null; address_id: bigint | null },
): Promise<Recent> {
  const since = sql`received_at > now() - interval '1 hour' and state in ('posted', 'held')`
  const { rows } = await sql<Recent>`select
    (select count(*)::int from received_mails where from_address = ${from_address} and ${since}) as sender,
    (select count(*)::int from received_mails where address_id = ${address_id}::bigint and ${since}) as address,
    (select count(*)::int from received_mails where ${since}) as all`.execute(tx)
  return rows[0] ?? { sender: 0, address: 0, all: 0 }
}

export async function isBlockedSender(db: Db, sender: string | null): Promise<boolean> {
  const { rows } = await sql`select from blocked_senders where address = ${sender}`.execute(db)
  return rows.length > 0
}

/** Discards mails that nobody decided about, and forgets the traces of old ones. A posted mail stays with its ticket. */
export async function forgetOldMails(tx: Tx): Promise<void> {
  await sql`update received_mails set state = 'discarded', content = null, whole_text = null, answer = null
    where state = 'held' and received_at < now() - make_interval(days => ${HELD_DAYS}::int)`.execute(tx)
  await sql`delete from received_mails where state in ('dropped', 'discarded')
    and received_at < now() - make_interval(days => ${TRACE_DAYS}::int)`.execute(tx)
}

/** The number of mails that wait for somebody to decide. */
export async function countHeldMails(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from received_mails where state = 'held'`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many mails there are in each state, with the reason. */
export async function countByState(db: Db): Promise<{ state: string; reason: string; count: number }[]> {
  const { rows } = await sql<{ state: string; reason: string; count: number }>`
    select state, coalesce(reason, '') as reason, count(*)::int as count from received_mails group by 1, 2`.execute(
    db,
  )
  return rows
}
