import { sql, type Kysely, type Selectable } from 'kysely'
import type { CustomerNotes, Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AccountAccess } from '#foundation/server/session/session.ts'

type Db = Kysely<Database>

export type CustomerRow = {
  user_id: string
  email: string
  name: string
  middle_name: string
  surname: string
  company: string
  country: string
  is_staff: boolean
  is_proven: boolean
  access: AccountAccess
  balance: string | null
  hosts: number
  open_tickets: number
  created_at: Date
  last_login_at: Date | null
  /** The value that the list is sorted by: a time in microseconds since 1970, or a balance in minor units. */
  place: string
  /** The newest host of the customer, or else the street, that holds the searched words. */
  matched: { kind: 'host' | 'street'; text: string } | null
}

/** Returns one customer as lists show them; undefined for a deleted account. */
export async function findCustomer(db: Db, user_id: string): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select c.*, '' as place, null as matched from customer_list c where c.user_id = ${user_id} limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Returns the customers whose booked payments came from, or went back to, an account whose IBAN ends so. */
export async function payersByIban(
  db: Db,
  ending: string,
  limit: number,
): Promise<{ user_id: string; text: string }[]> {
  const { rows } = await sql<{ user_id: string; text: string }>`
    select user_id, iban as text from payers_by_iban(${ending}, ${limit})`.execute(db)
  return rows
}

export type NoteRow = Selectable<CustomerNotes> & { age_s: number }

const noteColumns = sql`n.*, extract(epoch from now() - n.created_at)::float8 as age_s`

export async function notesOf(db: Db, user_id: string, limit: number): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select ${noteColumns} from customer_notes n where n.user_id = ${user_id}
    order by n.pinned desc, n.created_at desc, n.id limit ${limit}`.execute(db)
  return rows
}

export async function countNotes(db: Db, user_id: string): Promise<number> {
  const { rows } = await sql<{ notes: number }>`
    select count(*)::int as notes from customer_notes where user_id = ${user_id}`.execute(db)
  return rows[0]?.notes ?? 0
}

export async function insertNote(
  tx: Tx,
  { user_id, author_id, text, pinned }: { user_id: string; author_id: string; text: string; pinned: boolean },
): Promise<NoteRow | undefined> {
  const { rows } = await sql<NoteRow>`
    insert into customer_notes as n (user_id, author_id, text, pinned)
    values (${user_id}, ${author_id}, ${text}, ${pinned}) returning ${noteColumns}`.execute(tx)
  return rows[0]
}

export async function lockNote(tx: Tx, user_id: string, id: string): Promise<NoteRow | undefined> {
  const { rows } = await sql<NoteRow>`
    select ${noteColumns} from customer_notes n where n.id = ${id} and n.user_id = ${user_id} for update`.execute(
    tx,
  )
  return rows[0]
}

export async function updateNote(
  tx: Tx,
  id: string,
  { text, pinned }: { text: string; pinned: boolean },
): Promise<NoteRow | undefined> {
  const { rows } = await sql<NoteRow>`
    update customer_notes n set text = ${text}, pinned = ${pinned} where n.id = ${id} returning ${noteColumns}`.execute(
    tx,
  )
  return rows[0]
}

export async function deleteNote(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('customer_notes').where('id', '=', id).execute()
}

/** Deletes the notes of staff about a customer whose account is deleted. */
export async function deleteNotesOf(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('customer_notes').where('user_id', '=', user_id).execute()
}
