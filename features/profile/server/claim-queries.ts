import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { beginningWith, containing } from '#foundation/server/database/like.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { addressColumns, type Address } from './queries.ts'
import { holdsWords, partsOfSearch } from '#foundation/server/database/search-queries.ts'

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

/** Returns those of the addresses that accounts have proven. */
export async function provenAmong(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select email from email_addresses where email = any(${emails}::text[]) and verified_at is not null`.execute(
    db,
  )
  return new Set(rows.map(({ email }) => email))
}

/** A list with a member, or with the people behind a robot: they stand for it. */
const behind = (member: string) => sql`any(array(select people_behind(${member}::uuid)))`

/**
 * True for two accounts that serve one person: they share a proven address (without `+tag`) or a VAT id, or one helps the other or pays
 * for the other. An address that is only claimed, or an invitation that nobody accepted, links nobody (rule 37).
 */
export async function areLinked(db: Db, one: string, other: string): Promise<boolean> {
  const mailbox = (table: string) => sql`regexp_replace(${sql.ref(`${table}.email`)}, '[+][^@]*@', '@')`
  const { rows } = await sql<{ linked: boolean }>`
    select exists (
      select from email_addresses a join email_addresses b on ${mailbox('a')} = ${mailbox('b')}
      where a.user_id = ${behind(one)} and b.user_id = ${behind(other)} and a.verified_at is not null and b.verified_at is not null
    ) or exists (
      select from profiles a join profiles b on a.vat_id = b.vat_id
      where a.user_id = ${behind(one)} and b.user_id = ${behind(other)} and a.vat_id <> ''
    ) or exists (
      select from people_behind(${one}::uuid) mine, people_behind(${other}::uuid) theirs
      where mine = theirs or are_tied(mine, theirs)
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

/** Locks an address until the transaction ends, so that acts on it take turns. Callers lock it before the rows of accounts. */
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
    .where('held', '=', false)
    .where('claimed_at', '<', sql<Date>`now() - make_interval(secs => ${lifetimes.unproven_claim_s})`)
    .where('id', '>', above)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Renews a claim whose confirmation was asked for again, so that it lives as long as the key that is mailed now. */
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

/** Marks an address as proven. Returns false if another request was faster. Throws 23505 if another account has proven it. */
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

/** A statement for the accounts with a proven or a primary address that begins with `beginning`; it can be a part of another statement. */
export const accountsWithAddress = (beginning: string, limit: Limit): People => sql`
  select distinct user_id from email_addresses
  where email like ${beginningWith(beginning.toLowerCase())} and (verified_at is not null or is_primary) limit ${limit}`

export async function accountsByAddress(db: Db, beginning: string, limit: number): Promise<string[]> {
  return idsFrom(db, accountsWithAddress(beginning, limit))
}

/** A statement for the ids of the accounts of this country; a part of another statement. */
export const accountsIn = (country: string): RawBuilder<{ user_id: string }> =>
  sql`select user_id from profiles where country = ${country}`

/** A statement for the accounts with this VAT ID; it can be a part of another statement. */
export const accountsWithVatId = (vat_id: string, limit: Limit): People =>
  sql`select user_id from profiles where vat_id = ${vat_id} and vat_id <> '' limit ${limit}`

export async function accountsByVatId(db: Db, vat_id: string, limit: number): Promise<string[]> {
  return idsFrom(db, accountsWithVatId(vat_id, limit))
}

async function idsFrom(db: Db, people: People): Promise<string[]> {
  return (await people.execute(db)).rows.map(({ user_id }) => user_id)
}

const fullName = sql`full_name(name, middle_name, surname)`

/**
 * Computes the parts of a text once, as values that the planner does not know: planning three searches for known values takes as
 * long as running them. `rarest` are the parts to look up in the index of names (name-frequencies.ts). Asked for more parts, once
 * rows have been rewritten, the index may read all names with the commonest part: 4 ms for 50,000 names instead of 0.1.
 */
const withParts = (text: string, rarest: readonly string[] = []) => sql`
  with wanted as materialized (
    select parts_covering(${text}) as parts,
      ${partsOfSearch(text)} as search_parts, ${lexemes(rarest)}::tsquery as rarest)`
const hasParts = sql`parts_of(email) @> (select parts from wanted)`
const hasSearchParts = sql`search_parts_of(company) @> (select search_parts from wanted)`

/** The condition that a name has these parts; a text without words has none, and is looked for in all names. */
const hasRarest = (rarest: readonly string[]) =>
  rarest.length === 0 ? sql`true` : sql`name_parts(${fullName}) @@ (select rarest from wanted)`

/** A question for texts with all these parts. The index has parts of three letters; one that is shorter begins some of them. */
const lexemes = (parts: readonly string[]): string =>
  parts.map((part) => `'${part.replaceAll(/['\\]/g, '$&$&')}'${[...part].length < 3 ? ':*' : ''}`).join(' & ')

type Limit = number | RawBuilder<number>
type People = RawBuilder<{ user_id: string }>

/** A text to search for; `rarest` are the parts of the text that the fewest names have. */
type Part = { text: string; rarest: readonly string[] }

const named = ({ text, rarest }: Part, limit: Limit) =>
  sql`select user_id from profiles where ${hasRarest(rarest)} and ${holdsWords(fullName, text)} limit ${limit}`

const companyOrAddress = (text: string, limit: Limit) => sql`
  (select user_id from profiles
    where ${hasSearchParts} and ${holdsWords(sql`company`, text)} and company <> '' limit ${limit})
  union (select user_id from email_addresses
    where ${hasParts} and email ilike ${containing(text)} and verified_at is not null limit ${limit})`

/**
 * Returns a query, to be put into another query, for the accounts whose name, company or proven address contains this text. Indices
 * (profiles_by_name_part and others) find the rows that have its parts, of three letters each, or fewer if the text is shorter.
 */
export const peopleLike = ({ text, rarest }: Part, limit: Limit): People => sql`${withParts(text, rarest)}
  (${named({ text, rarest }, limit)}) union ${companyOrAddress(text, limit)} limit ${limit}`

/** Accounts whose company or proven address contains this text; names are not searched. */
export const peopleLikeButByName = ({ text }: Part, limit: Limit): People =>
  sql`${withParts(text)} ${companyOrAddress(text, limit)} limit ${limit}`

/** Accounts whose street contains this text, each with the street; a query that can be a part of another one. */
export const streetsWith = (
  { text }: Pick<Part, 'text'>,
  limit: Limit,
): RawBuilder<{ user_id: string; text: string }> => sql`${withParts(text)}
  select user_id, address as text from profiles
  where search_parts_of(address) @> (select search_parts from wanted) and ${holdsWords(sql`address`, text)}
    and address <> '' limit ${limit}`

/** Accounts whose name has the rarest parts of this text, perhaps not the whole text: for a list that checks the names it shows. */
export const peopleWithParts = ({ text, rarest }: Part, limit: Limit): People =>
  sql`${withParts(text, rarest)} select user_id from profiles where ${hasRarest(rarest)} limit ${limit}`

/** Accounts whose name contains this text. */
export const peopleNamed = ({ text, rarest }: Part, limit: Limit): People =>
  sql`${withParts(text, rarest)} ${named({ text, rarest }, limit)}`
