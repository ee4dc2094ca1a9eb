import { sql, type Kysely } from 'kysely'
import type { Database } from '#database/types.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { batched } from '#foundation/server/database/batched.ts'

type Db = Kysely<Database>

export type ProfileFields = {
  name: string
  middle_name: string
  surname: string
  country: string
  address: string
  apartment: string
  zip: string
  city: string
  state: string
  company: string
  vat_id: string
}
export type FieldChange = { [Field in keyof ProfileFields]?: string | undefined }
export type ProfileRow = ProfileFields & { created_at: Date; version: number }

export async function insertProfile(tx: Tx, user_id: string): Promise<void> {
  await tx.insertInto('profiles').values({ user_id }).execute()
}

/** By primary key, as text, many by one statement: it stands on the busiest path of all. */
export const profileOf = batched(async (db: Db, user_ids: readonly string[]) => {
  const { rows } = await sql<ProfileRow & { user_id: string }>`
    select user_id, name, middle_name, surname, country, address, apartment, zip, city, state, company, vat_id,
      created_at, version
    from profiles where user_id = any(${user_ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ user_id, ...row }): [string, ProfileRow] => [user_id, row]))
})

/** The version of a profile, which nobody else edits until this transaction ends. */
export async function lockVersion(tx: Tx, user_id: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('profiles')
    .select('version')
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  return row?.version
}

/** Writes the fields that are given, by name: nothing else that a request may hold reaches the row. */
export async function updateFields(tx: Tx, user_id: string, change: FieldChange): Promise<void> {
  const { name, middle_name, surname, country, address, apartment, zip, city, state, company, vat_id } =
    change
  const columns = {
    name,
    middle_name,
    surname,
    country,
    address,
    apartment,
    zip,
    city,
    state,
    company,
    vat_id,
  }
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0)
    await tx.updateTable('profiles').set(given).where('user_id', '=', user_id).execute()
}

/** Takes away all that is known of a person; their keys go with their addresses. */
export async function erase(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('email_addresses').where('user_id', '=', user_id).execute()
  await tx.deleteFrom('profiles').where('user_id', '=', user_id).execute()
}

export type Address = { id: bigint; user_id: string; email: string; verified: boolean; is_primary: boolean }

const addressColumns = [
  'id',
  'user_id',
  'email',
  'is_primary',
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

/** The addresses of an account, oldest first. */
export async function addressesOf(db: Db, user_id: string): Promise<Address[]> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
}

export async function hasUnverified(db: Db, user_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('email_addresses')
    .select('id')
    .where('user_id', '=', user_id)
    .where('verified_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whoever proved the address; else who holds it as primary; else the oldest that claims it. */
export async function bestClaim(db: Db, email: string): Promise<Address | undefined> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('email', '=', email)
    .orderBy(sql`verified_at is null`)
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function isVerifiedElsewhere(db: Db, { email, user_id }: Address): Promise<boolean> {
  const found = await db
    .selectFrom('email_addresses')
    .select('id')
    .where('email', '=', email)
    .where('verified_at', 'is not', null)
    .where('user_id', '!=', user_id)
    .executeTakeFirst()
  return found !== undefined
}

export async function removeAddress(tx: Tx, id: bigint): Promise<void> {
  await tx.deleteFrom('email_addresses').where('id', '=', id).execute()
}

/** Two statements: the index that allows one primary address is checked row by row. */
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

export async function insertKey(app: App, tx: Tx, address_id: bigint, token_hash: Buffer): Promise<void> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${app.lifetimes.verification_key_s})`
  await tx.insertInto('verification_keys').values({ token_hash, address_id, expires_at }).execute()
}

/** The address that a live key would prove. */
export async function addressByKey(db: Db, token_hash: Buffer): Promise<Address | undefined> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('verified_at', 'is', null)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('verification_keys')
        .select('address_id')
        .where('token_hash', '=', token_hash)
        .where('expires_at', '>', sql<Date>`now()`),
    )
    .executeTakeFirst()
}

/** Marks an address as proved; false where another request was faster. Throws 23505 where another account was. */
export async function markVerified(tx: Tx, id: bigint): Promise<boolean> {
  const result = await tx
    .updateTable('email_addresses')
    .set({ verified_at: sql`now()` })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteKeysOf(tx: Tx, address_id: bigint): Promise<void> {
  await tx.deleteFrom('verification_keys').where('address_id', '=', address_id).execute()
}

/** Removes keys past their time; run by a job. */
export async function sweepKeys(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('verification_keys')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}

export type NameRow = { user_id: string; name: string; middle_name: string; surname: string }

/** What these accounts are called; one that was deleted, or never had a profile, is left out. */
export async function namesOf(db: Db, user_ids: readonly string[]): Promise<NameRow[]> {
  if (user_ids.length === 0) return []
  return db
    .selectFrom('profiles')
    .select(['user_id', 'name', 'middle_name', 'surname'])
    .where('user_id', 'in', [...user_ids])
    .execute()
}

/** Their primary addresses. */
export async function primaryAddressesOf(
  db: Db,
  user_ids: readonly string[],
): Promise<{ user_id: string; email: string }[]> {
  if (user_ids.length === 0) return []
  return db
    .selectFrom('email_addresses')
    .select(['user_id', 'email'])
    .where('user_id', 'in', [...user_ids])
    .where('is_primary', '=', true)
    .execute()
}

/** Accounts whose name or address holds this text. */
export async function accountsLike(db: Db, part: string, limit: number): Promise<string[]> {
  const pattern = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = await sql<{ user_id: string }>`
    (select user_id from profiles where concat_ws(' ', name, nullif(middle_name, ''), surname) ilike ${pattern} limit ${limit})
    union (select user_id from email_addresses where email ilike ${pattern} limit ${limit}) limit ${limit}`.execute(
    db,
  )
  return rows.map(({ user_id }) => user_id)
}
