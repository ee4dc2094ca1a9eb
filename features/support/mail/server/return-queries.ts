import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']
type Returning = { address_id: bigint; mail_id: string | undefined; reason: string }

/** Notes that a mail came back: at the mail that is named, or else at the last one that carried the address. Undefined where there is none. */
export async function markReturned(
  tx: Tx,
  { address_id, mail_id, reason }: Returning,
): Promise<{ to_address: string } | undefined> {
  const { rows } = await sql<{ to_address: string }>`
    update ticket_mails_sent set returned_at = coalesce(returned_at, now()), reason = coalesce(reason, ${reason})
    where mail_id = (
      select mail_id from ticket_mails_sent
      where address_id = ${address_id} and mail_id = coalesce(${mail_id ?? null}::uuid, mail_id)
      order by sent_at desc limit 1)
    returning to_address`.execute(tx)
  return rows[0]
}

/** Notes that the mail server refused a mail about a ticket. */
export async function markRefused(tx: Tx, mail_id: string, reason: string): Promise<void> {
  await sql`update ticket_mails_sent set returned_at = now(), reason = ${reason}
    where mail_id = ${mail_id} and returned_at is null`.execute(tx)
}

export async function suspendAddress(
  tx: Tx,
  { user_id, email, reason }: { user_id: string; email: string; reason: string },
): Promise<void> {
  await sql`insert into suspended_addresses (address, user_id, reason) values (${email}, ${user_id}, ${reason.slice(0, 500)})
    on conflict (address) do nothing`.execute(tx)
}

/** True for an address to which no mail goes. */
export async function isSuspended(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql`select from suspended_addresses where address = ${address}`.execute(db)
  return rows.length > 0
}

export type Suspended = { email: string; suspended_at: Date; reason: string }

/** Returns the addresses of an account to which no mail goes. */
export async function suspendedOf(db: Db, user_id: string): Promise<Suspended[]> {
  const { rows } = await sql<Suspended>`
    select address as email, suspended_at, reason from suspended_addresses where user_id = ${user_id} order by address`.execute(
    db,
  )
  return rows
}

export async function endSuspension(tx: Tx, user_id: string, address: string): Promise<boolean> {
  const { rows } =
    await sql`delete from suspended_addresses where user_id = ${user_id} and address = ${address} returning address`.execute(
      tx,
    )
  return rows.length > 0
}

/** Ends the suspensions of an account but those of these addresses. Returns whether there were any. */
export async function endOtherSuspensions(
  tx: Tx,
  user_id: string,
  kept: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    delete from suspended_addresses where user_id = ${user_id} and address <> all (${kept}::text[]) returning address`.execute(
    tx,
  )
  return rows.length > 0
}

export type ReturnedMail = { seq: number; to_address: string; returned_at: Date; reason: string }

/** Returns the mails about a ticket that came back, each with the last message in it, in the count of staff. */
export async function returnedMails(db: Db, ticket_id: bigint): Promise<ReturnedMail[]> {
  const { rows } = await sql<ReturnedMail>`
    select m.seq, s.to_address, s.returned_at, coalesce(s.reason, '') as reason from ticket_mails_sent s
    join ticket_messages m on m.ticket_id = s.ticket_id and m.customer_seq = s.seq
    where s.ticket_id = ${ticket_id} and s.returned_at is not null order by m.seq`.execute(db)
  return rows
}
