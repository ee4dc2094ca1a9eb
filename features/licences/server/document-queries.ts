import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The key that signs now; `private_key` is sealed. */
export type SigningKeyRow = { kid: string; private_key: string }

export async function currentKey(db: Kysely<Database>): Promise<SigningKeyRow | undefined> {
  const row = await db
    .selectFrom('signing_keys')
    .select(['kid', 'private_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row?.private_key ? { kid: row.kid, private_key: row.private_key } : undefined
}

/** The key that signs, and the keys retired less than `kept_s` ago, whose documents still count; newest first, none that was stolen. */
export async function publicKeys(
  db: Kysely<Database>,
  kept_s: number,
): Promise<{ kid: string; public_key: string }[]> {
  const { rows } = await sql<{ kid: string; public_key: string }>`
    select kid, public_key from signing_keys
    where withdrawn_at is null and (retired_at is null or retired_at > now() - make_interval(secs => ${kept_s}))
    order by created_at desc, kid`.execute(db)
  return rows
}

export async function insertKey(
  tx: Tx,
  key: { kid: string; public_key: string; private_key: string },
): Promise<void> {
  await tx.insertInto('signing_keys').values(key).execute()
}

/** Retires the key that signs now and deletes its private key. */
export async function retireKey(tx: Tx): Promise<void> {
  await tx
    .updateTable('signing_keys')
    .set({ retired_at: sql<Date>`now()`, private_key: null })
    .where('retired_at', 'is', null)
    .execute()
}

/** The ids of all keys that were ever withdrawn because they were stolen. */
export async function withdrawnKeys(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select('kid')
    .where('withdrawn_at', 'is not', null)
    .orderBy('withdrawn_at')
    .orderBy('kid')
    .execute()
  return rows.map(({ kid }) => kid)
}

/** Deletes keys whose last documents expired long ago, but none that was stolen. */
export async function sweepKeys(tx: Tx, kept_s: number): Promise<void> {
  await tx
    .deleteFrom('signing_keys')
    .where('retired_at', '<', sql<Date>`now() - make_interval(secs => ${kept_s})`)
    .where('withdrawn_at', 'is', null)
    .execute()
}

/** Withdraws a stolen key; returns true if the key existed and was not withdrawn before. */
export async function markWithdrawn(tx: Tx, kid: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('signing_keys')
    .set({
      withdrawn_at: sql<Date>`now()`,
      retired_at: sql<Date>`coalesce(retired_at, now())`,
      private_key: null,
    })
    .where('kid', '=', kid)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locks and returns signing keys that are sealed with another SECRET_KEY than the present one, at most `limit`. */
export async function keysOfOtherKeys(tx: Tx, boxId: string, limit: number): Promise<SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    select kid, private_key from signing_keys where private_key not like ${`${boxId}.%`} limit ${limit} for update`.execute(
    tx,
  )
  return rows
}

export async function setPrivateKey(tx: Tx, { kid, private_key }: SigningKeyRow): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_key }).where('kid', '=', kid).execute()
}

/** `iat` and `before` are in seconds. `iat` is the time of the last change or the beginning of the present hour, if that is later. */
export type RevocationList = {
  seq: number
  iat: number
  revoked: [sub: string, before: number][]
  withdrawn_keys: string[]
}

/** Reads the list with one statement, so that the number `seq` always belongs to the content. */
export async function revocationList(db: Kysely<Database>): Promise<RevocationList> {
  const { rows } = await sql<RevocationList>`
    select l.seq::int8::float8 as seq,
      extract(epoch from greatest(date_trunc('second', l.changed_at), date_trunc('hour', now())))::float8 as iat,
      coalesce((select json_agg(json_build_array(sub, before) order by seq) from revocations
        where until > now() and (begins_at is null or begins_at <= now())), '[]') as revoked,
      coalesce((select json_agg(kid order by withdrawn_at, kid) from signing_keys where withdrawn_at is not null), '[]') as withdrawn_keys
    from revocation_list l`.execute(db)
  const [list] = rows
  if (!list) throw new Error('revocation_list has lost its row')
  return list
}

export async function revocationsSeq(db: Kysely<Database>): Promise<number> {
  const { seq } = await db.selectFrom('revocation_list').select('seq').executeTakeFirstOrThrow()
  return Number(seq)
}

/** Deletes the revocations whose documents have expired by themselves. */
export async function dropRevocations(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('revocations')
    .where('until', '<', sql<Date>`now()`)
    .execute()
}
