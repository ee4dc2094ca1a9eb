import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { RENEWED_AFTER_DAYS, VALID_DAYS } from '#features/support/mail/rules.ts'
import type { Named } from './address.ts'

type Db = App['db']
type Of = { ticket_id: bigint; user_id: string }

/** Returns the address of one person in one ticket, which from now on was carried by a mail; a new one where the last is old, or was ended. */
export async function carriedAddress(tx: Tx, { ticket_id, user_id }: Of): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    update reply_addresses set carried_at = now() where id = (
      select id from reply_addresses where user_id = ${user_id} and ticket_id = ${ticket_id} and ended_at is null
        and issued_at > now() - make_interval(days => ${RENEWED_AFTER_DAYS}::int)
      order by issued_at desc limit 1)
    returning id`.execute(tx)
  if (rows[0]) return rows[0].id
  const { rows: added } = await sql<{ id: bigint }>`
    insert into reply_addresses (ticket_id, user_id) values (${ticket_id}, ${user_id}) returning id`.execute(
    tx,
  )
  return must(added[0]).id
}

export type AddressRow = Named & {
  chat_id: string
  owner_id: string
  valid: boolean
  to_address: string | null
}

/** Returns the address with this id, and whether it still takes answers. */
export async function addressWith(db: Db, id: bigint): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select a.id, a.ticket_id, a.user_id, t.public_id as chat_id, t.user_id as owner_id,
      a.ended_at is null and a.carried_at > now() - make_interval(days => ${VALID_DAYS}::int) as valid,
      (select to_address from ticket_mails_sent s where s.address_id = a.id order by sent_at desc limit 1) as to_address
    from reply_addresses a join tickets t on t.id = a.ticket_id where a.id = ${id}`.execute(db)
  return rows[0]
}

/** Ends all addresses of a person: earlier mails may have reached somebody else. */
export async function endAddressesOf(tx: Tx, user_id: string): Promise<void> {
  await sql`update reply_addresses set ended_at = now() where user_id = ${user_id} and ended_at is null`.execute(
    tx,
  )
}

/** Erases what is kept about the mails of an account. */
export async function eraseMailsOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from received_mails where user_id = ${user_id} and (ticket_id is null or state <> 'posted')`.execute(
    tx,
  )
  await sql`update reply_addresses set ended_at = coalesce(ended_at, now()) where user_id = ${user_id}`.execute(
    tx,
  )
  await sql`delete from suspended_addresses where user_id = ${user_id}`.execute(tx)
}

export type SentMail = Of & {
  mail_id: string
  address_id: bigint | null
  to_address: string
  seq: number | undefined
}

export async function noteSent(
  tx: Tx,
  { mail_id, ticket_id, user_id, address_id, to_address, seq }: SentMail,
): Promise<void> {
  await sql`insert into ticket_mails_sent (mail_id, ticket_id, user_id, address_id, to_address, seq)
    values (${mail_id}, ${ticket_id}, ${user_id}, ${address_id}, ${to_address},
      coalesce(${seq ?? null}::integer, (select customer_seq from tickets where id = ${ticket_id})))`.execute(
    tx,
  )
}

/** Returns the mails of an account that came in, for the copy of all its data. */
export async function mailsFrom(db: Db, user_id: string): Promise<object[]> {
  const { rows } = await sql<object>`
    select from_address as from, subject, whole_text as text, file_names, state, received_at from received_mails
    where user_id = ${user_id} and state in ('posted', 'held') order by received_at`.execute(db)
  return rows
}
