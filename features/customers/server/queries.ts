import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { CustomerNotes, Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AccountAccess } from '#foundation/server/session/session.ts'
import type { Sort, State } from '#features/customers/rules.ts'

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
  /** The value the list is sorted by: microseconds since 1970, or minor units. */
  place: string
}

export type Wanted = {
  /** The ids to choose from; undefined where the list is not searched. */
  ids?: readonly string[] | undefined
  /** A text that many names contain: customers who have it belong to the list beside those of `ids`. */
  name?: string | undefined
  state?: State | undefined
  debt: boolean
  sort: Sort
  currency: string
  after?: { place: string; id: string } | undefined
  limit: number
}

/** PostgreSQL expects so many of a json list, whatever it holds. */
const EXPECTED = 100

/**
 * A page of customers in the wanted order, by an index each (decision 070), of 101 rows at most. The most stands in the statement, and few
 * ids come as json: a limit that is a value, or an array, may be of any size for a plan that is kept, so that PostgreSQL planned each
 * page anew, which was half of its time and more.
 */
export async function listCustomers(db: Db, wanted: Wanted): Promise<CustomerRow[]> {
  const { ids, name, state, debt, sort, currency, after, limit } = wanted
  const areMany = ids !== undefined && ids.length > EXPECTED
  const byBalance = debt || sort === 'balance'
  const way = debt ? sql`asc` : sql`desc`
  const conditions = [sql`(c.currency is null or c.currency = ${currency})`]
  if (byBalance) conditions.push(debt ? sql`c.balance < 0` : sql`c.balance <> 0`)
  if (ids) {
    const isFound = areMany
      ? sql`c.user_id = any(${[...ids]}::uuid[])`
      : sql`c.user_id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`
    const isNamed = sql`strpos(lower(full_name(c.name, c.middle_name, c.surname)), lower(${name ?? ''})) > 0`
    conditions.push(name === undefined ? isFound : sql`(${isNamed} or ${isFound})`)
  }
  if (state) conditions.push(inState[state])
  const key = byBalance ? sql`c.balance` : times[sort === 'last_login_at' ? 'last_login_at' : 'created_at']
  if (after) {
    const value = byBalance ? sql`${after.place}::bigint` : timeOf(after.place)
    conditions.push(sql`(${key}, c.user_id) ${debt ? sql`>` : sql`<`} (${value}, ${after.id}::uuid)`)
  }
  const place = byBalance ? sql`c.balance::text` : microsecondsOf(key)
  const most = areMany ? sql`` : sql`limit 101`
  const { rows } = await sql<CustomerRow>`
    select * from (
      select c.*, ${place} as place from customer_list c where ${sql.join(conditions, sql` and `)}
      order by ${key} ${way}, c.user_id ${way} ${most}) as page limit ${limit}`.execute(db)
  return rows
}

const inState: Readonly<Record<State, RawBuilder<unknown>>> = {
  active: sql`c.access = 'open' and c.is_proven`,
  unconfirmed: sql`c.access = 'open' and c.user_id in (select user_id from unproven_accounts)`,
  blocked: sql`c.access = 'blocked'`,
  locked: sql`c.access = 'locked'`,
}

const times = {
  created_at: sql`c.created_at`,
  last_login_at: sql`coalesce(c.last_login_at, c.created_at)`,
}

/** One customer as lists show them; undefined for a deleted account. */
export async function findCustomer(db: Db, user_id: string): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select c.*, '' as place from customer_list c where c.user_id = ${user_id} limit 1`.execute(db)
  return rows[0]
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

/** The staff's notes about somebody whose account is deleted. */
export async function deleteNotesOf(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('customer_notes').where('user_id', '=', user_id).execute()
}
