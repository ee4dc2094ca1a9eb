import { sql, type Kysely } from 'kysely'
import { fieldNames, type FieldName } from '#features/profile/fields.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { batched, readAll } from '#foundation/server/database/batched.ts'
import type { App } from '#foundation/server/app.ts'

type Db = Kysely<Database>

type ProfileFields = Record<FieldName | 'country', string>
export type FieldChange = { [Field in keyof ProfileFields]?: string | undefined }
export type ProfileRow = ProfileFields & {
  created_at: Date
  version: number
  access_review_since: Date | null
  attention: string[]
}

/** Gives a new account its (empty) profile. */
export async function insertProfile(tx: Tx, user_id: string): Promise<void> {
  await tx.insertInto('profiles').values({ user_id }).execute()
}

const fieldsOfProfile = [...fieldNames, 'country'] as const
const columns = [...fieldsOfProfile, 'created_at', 'version', 'access_review_since', 'attention'] as const

/**
 * Returns the profile of a user. The statement is plain SQL and reads the profiles of several requests at once, because almost
 * every request needs a profile.
 */
export const profileOf = batched(async (db: Db, user_ids: readonly string[]) => {
  const { rows } = await sql<ProfileRow & { user_id: string }>`
    select user_id, ${sql.join(columns.map((name) => sql.ref(name)))}
    from profiles where user_id = any(${arrayOf(user_ids, 'uuid')})`.execute(db)
  return new Map(rows.map(({ user_id, ...row }): [string, ProfileRow] => [user_id, row]))
})

/** Customers with a VAT id, in the order of their ids, after the id `after`. */
export async function vatIdsAfter(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<(Pick<ProfileRow, 'country' | 'zip' | 'city' | 'vat_id'> & { user_id: string })[]> {
  return db
    .selectFrom('profiles')
    .select(['user_id', 'country', 'zip', 'city', 'vat_id'])
    .where('vat_id', '<>', '')
    .$if(after !== undefined, (query) => query.where('user_id', '>', after ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/** The version of a profile, locked against edits until this transaction ends. */
export async function lockVersion(tx: Tx, user_id: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('profiles')
    .select('version')
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  return row?.version
}

/**
 * Writes the given fields by name, so that no other content of a request reaches the row, and returns the profile. The seed uses it as well.
 */
export async function updateProfileFields(
  tx: Tx,
  user_id: string,
  change: FieldChange,
): Promise<ProfileRow | undefined> {
  const given = fieldsOfProfile.filter((name) => change[name] !== undefined)
  if (given.length === 0) return profileOf(tx, user_id)
  return tx
    .updateTable('profiles')
    .set(Object.fromEntries(given.map((name) => [name, change[name]])))
    .where('user_id', '=', user_id)
    .returning(columns)
    .executeTakeFirst()
}

/** Starts or ends the request to review all ways into an account. */
export async function setAccessReview(tx: Tx, user_id: string, due: boolean): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ access_review_since: due ? sql<Date>`now()` : null })
    .where('user_id', '=', user_id)
    .execute()
}

/** Adds a matter to those that the owner is asked to look at, or takes it away. Returns true if it was not so before. */
export async function changeAttention(
  tx: Tx,
  user_id: string,
  matter: string,
  isDue: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    update profiles set attention = case when ${isDue} then attention || ${matter}::text else array_remove(attention, ${matter}::text) end
    where user_id = ${user_id}::uuid and (${matter}::text = any (attention)) <> ${isDue} returning user_id`.execute(
    tx,
  )
  return rows.length > 0
}

/** Deletes the profile and the addresses of a person; verification keys are deleted with their address. */
export async function erase(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('email_addresses').where('user_id', '=', user_id).execute()
  await tx.deleteFrom('profiles').where('user_id', '=', user_id).execute()
}

export type Address = {
  id: bigint
  user_id: string
  email: string
  verified: boolean
  is_primary: boolean
  /** True if the account has paid before anybody proved its address: it is held for whoever reads its mails (decision 202). */
  held: boolean
}

export const addressColumns = [
  'id',
  'user_id',
  'email',
  'is_primary',
  'held',
  sql<boolean>`verified_at is not null`.as('verified'),
] as const

export async function insertAddress(
  tx: Tx,
  { verified, ...row }: { user_id: string; email: string; is_primary: boolean; verified: boolean },
): Promise<Address> {
  return tx
    .insertInto('email_addresses')
    .values({ ...row, verified_at: verified ? sql<Date>`now()` : null })
    .returning(addressColumns)
    .executeTakeFirstOrThrow()
}

/** Holds the address of an account that has paid, until a link that was mailed there proves it. */
export async function holdAddress(tx: Tx, { id }: Pick<Address, 'id'>): Promise<void> {
  await tx.updateTable('email_addresses').set({ held: true }).where('id', '=', id).execute()
}

/** The addresses of an account, oldest first. */
export async function addressesOf(db: Db, user_id: string): Promise<Address[]> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
}

export async function hasUnverifiedAddress(db: Db, user_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('email_addresses')
    .select('id')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function removeAddress(tx: Tx, id: bigint): Promise<void> {
  await tx.deleteFrom('email_addresses').where('id', '=', id).execute()
}

/**
 * Makes this address the only primary one. It takes two statements, because the index that allows one primary address is checked
 * row by row.
 */
export async function setPrimary(tx: Tx, { id, user_id }: Address): Promise<void> {
  await tx
    .updateTable('email_addresses')
    .set({ is_primary: false })
    .where('user_id', '=', user_id)
    .where('is_primary', '=', true)
    .execute()
  await tx
    .updateTable('email_addresses')
    .set({ is_primary: true })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .execute()
}

export type NameRow = {
  user_id: string
  name: string
  middle_name: string
  surname: string
  email: string | null
}

/**
 * Names of these accounts, with their primary addresses, if proven: an address that is only claimed does not name its account
 * (rule 36). An account that was deleted, or never had a profile, is left out. Several requests are read at once, because nearly every
 * page names somebody.
 */
export const namesOf = (db: Db, user_ids: readonly string[]): Promise<Map<string, NameRow>> =>
  readAll(name, db, user_ids)

const name = batched(async (db: Db, user_ids: readonly string[]) => {
  // The ids are one array: a list of parameters would make another statement for each number of ids.
  const { rows } = await sql<NameRow>`
    select p.user_id, p.name, p.middle_name, p.surname, a.email
    from profiles p
    left join email_addresses a on a.user_id = p.user_id and a.is_primary and a.verified_at is not null
    where p.user_id = any(${arrayOf(user_ids, 'uuid')})`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
})

/** The names of the tokens among these. */
export async function tokenNames(db: Db, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from token_names(${arrayOf(ids, 'uuid')})`.execute(db)
  return new Map(rows.map(({ id, name: given }) => [id, given]))
}

export type FrequentPart = { share: number; names: number }

/** Returns the most frequent parts of names, as PostgreSQL counted them for the index profiles_by_name_part. */
export async function frequentParts(db: Db): Promise<Map<string, FrequentPart>> {
  const { rows } = await sql<
    FrequentPart & { part: string }
  >`select part, share, names from frequent_name_parts()`.execute(db)
  return new Map(rows.map(({ part, ...counted }) => [part, counted]))
}

/** True for two people with the same surname, ZIP and street address. An empty field counts as different from any other. */
export async function shareHome(db: App['db'], one: string, other: string): Promise<boolean> {
  const plain = (column: string) =>
    [sql.ref(`a.${column}`), sql.ref(`b.${column}`)].map(
      (field) => sql`regexp_replace(lower(${field}), '[\\s.,-]+', '', 'g')`,
    )
  const same = ['surname', 'zip', 'address'].map((column) => {
    const [mine, theirs] = plain(column)
    return sql`${mine} = ${theirs} and ${mine} <> ''`
  })
  const { rows } = await sql<{ same: boolean }>`
    select exists (select from profiles a join profiles b on ${sql.join(same, sql` and `)}
      where a.user_id = any(array(select people_behind(${one}::uuid)))
        and b.user_id = any(array(select people_behind(${other}::uuid)))) as same`.execute(db)
  return rows[0]?.same ?? false
}

/** True for two accounts that paid from one bank account, or got money back to it. */
export async function shareIban(db: App['db'], one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{
    same: boolean
  }>`select exists (
    select from people_behind(${one}::uuid) mine, people_behind(${other}::uuid) theirs where share_iban(mine, theirs)) as same`.execute(
    db,
  )
  return rows[0]?.same ?? false
}
