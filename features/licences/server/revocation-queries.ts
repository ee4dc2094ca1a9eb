import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

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
