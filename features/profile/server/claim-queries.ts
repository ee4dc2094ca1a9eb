import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { beginningWith, containing } from '#foundation/server/database/like.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { addressColumns, type Address } from './queries.ts'

// Only the statements of this file find a person by an address (rule 36, tests/architecture).

type Db = App['db']

/** An address whose owner has proved by a key that they receive its mails. */
export type ProvenAddress = Address & { verified: true }

/** The only way to find an account by an address: the account that has proven it (rule 36). */
export async function findAccountByProvenEmail(db: Db, email: string): Promise<ProvenAddress | undefined> {
  const address = await db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('email', '=', email)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return address && { ...address, verified: true }
}

/**
 * True for two accounts of what is likely one person: a proven address in common after `+tag` is cut, or a VAT id. An address that is
 * only claimed links nobody (rule 37).
 */
export async function areLinked(db: Db, one: string, other: string): Promise<boolean> {
  const mailbox = (table: string) => sql`regexp_replace(${sql.ref(`${table}.email`)}, '[+][^@]*@', '@')`
  const { rows } = await sql<{ linked: boolean }>`
    select exists (
      select from email_addresses a join email_addresses b on ${mailbox('a')} = ${mailbox('b')}
      where a.user_id = ${one} and b.user_id = ${other} and a.verified_at is not null and b.verified_at is not null
    ) or exists (
      select from profiles a join profiles b on a.vat_id = b.vat_id
      where a.user_id = ${one} and b.user_id = ${other} and a.vat_id <> ''
    ) as linked`.execute(db)
  return rows[0]?.linked ?? false
}

/** Every unproven claim to an address, the newest first. */
export async function claimsTo(db: Db, email: string): Promise<Address[]> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Lets acts on one address take turns until the transaction ends. Taken before the rows of accounts are locked. */
export const lockAddress = (tx: Tx, email: string): Promise<void> => lockByName(tx, `address ${email}`)

/** Expired unproven claims, in order of their ids, above a given one. */
export async function expiredClaims(
  { lifetimes }: Pick<App, 'lifetimes'>,
  db: Db,
  { above, limit }: { above: bigint; limit: number },
): Promise<Address[]> {
  return db
    .selectFrom('email_addresses')
    .select(addressColumns)
    .where('verified_at', 'is', null)
    .where('claimed_at', '<', sql<Date>`now() - make_interval(secs => ${lifetimes.unproven_claim_s})`)
    .where('id', '>', above)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The confirmation was asked for again: the claim lives as long as the key that is mailed now. */
export async function renewClaim(tx: Tx, id: bigint): Promise<void> {
  await tx
    .updateTable('email_addresses')
    .set({ claimed_at: sql`now()` })
    .where('id', '=', id)
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

/** Marks an address as proven; false if another request was faster. Throws 23505 if another account was. */
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

/** Accounts with a proven or a primary address that begins so. */
export async function accountsByAddress(db: Db, beginning: string, limit: number): Promise<string[]> {
  const pattern = beginningWith(beginning.toLowerCase())
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from email_addresses
    where email like ${pattern} and (verified_at is not null or is_primary) limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

const fullName = sql`full_name(name, middle_name, surname)`

/**
 * Computed once, and values that are not known when planning: planning three searches takes as long as doing them. `rarest` are the parts to
 * ask the index of names for (name-frequencies.ts). Asked for more, it may read all names that have the commonest of them, 4 ms of 50,000 instead of
 * 0.1, once rows have been written anew. A part that PostgreSQL's small letters do not have is left out.
 */
const withParts = (text: string, rarest: readonly string[] = []) => sql`
  with wanted as materialized (
    select parts_covering(${text}) as parts,
      array(select part from unnest(${rarest}::text[]) as part where strpos(lower(${text}), part) > 0) as rarest)`
const hasParts = (column: RawBuilder<unknown>) => sql`parts_of(${column}) @> (select parts from wanted)`
const hasRarest = sql`
  parts_of(${fullName}) @> (select case when rarest = '{}' then parts else rarest end from wanted)`

type Limit = number | RawBuilder<number>
type People = RawBuilder<{ user_id: string }>

/** A text that is looked for, with those of its parts that the fewest names have. */
type Part = { text: string; rarest: readonly string[] }

const named = (text: string, limit: Limit) =>
  sql`select user_id from profiles where ${hasRarest} and ${fullName} ilike ${containing(text)} limit ${limit}`

const companyOrAddress = (text: string, limit: Limit) => sql`
  (select user_id from profiles
    where ${hasParts(sql`company`)} and company ilike ${containing(text)} and company <> '' limit ${limit})
  union (select user_id from email_addresses
    where ${hasParts(sql`email`)} and email ilike ${containing(text)} and verified_at is not null limit ${limit})`

/**
 * Accounts whose name, company or proven address contains this text, as a query that another may hold. Indices
 * (profiles_by_part_of_name and others) find those that have the parts of it, three letters each, as the text itself may be shorter.
 */
export const peopleLike = ({ text, rarest }: Part, limit: Limit): People => sql`${withParts(text, rarest)}
  (${named(text, limit)}) union ${companyOrAddress(text, limit)} limit ${limit}`

/** The same without those found by their name. */
export const peopleLikeButByName = ({ text }: Part, limit: Limit): People =>
  sql`${withParts(text)} ${companyOrAddress(text, limit)} limit ${limit}`

/** Accounts whose name has the rarest parts of this text, and perhaps not the whole: for a list that looks at the names it shows. */
export const peopleWithParts = ({ text, rarest }: Part, limit: Limit): People =>
  sql`${withParts(text, rarest)} select user_id from profiles where ${hasRarest} limit ${limit}`

/** Accounts whose name contains this text. */
export const peopleNamed = ({ text, rarest }: Part, limit: Limit): People =>
  sql`${withParts(text, rarest)} ${named(text, limit)}`

/**
 * Accounts whose name contains this text, or for which `others` holds, with `created_at`: for a page of the newest of those whose name many
 * have. An index (profiles_by_age) has the names in that order, and PostgreSQL reads no table where these two columns alone are wanted.
 */
export const peopleByAge = (text: string, others: RawBuilder<boolean>): People =>
  sql`select user_id, created_at from profiles where strpos(lower(${fullName}), (select lower(${text}))) > 0 or ${others}`
