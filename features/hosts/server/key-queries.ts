import { sql } from 'kysely'
import { FORMER_KEY_HOURS } from '#features/hosts/rules.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { type Db, documentsFrom, type HostRow, periods, product, suspended } from './queries.ts'

/** Keeps the present key of a host as one that still answers for a while. */
export async function keepKey(tx: Tx, id: bigint): Promise<void> {
  await sql`insert into former_keys (licence_key, host_id, user_id, ends_at)
    select licence_key, id, user_id, now() + make_interval(hours => ${FORMER_KEY_HOURS}) from hosts where id = ${id}`.execute(
    tx,
  )
}

/** Ends all former keys of a host now. */
export async function dropKeys(tx: Tx, id: bigint): Promise<void> {
  await tx.deleteFrom('former_keys').where('host_id', '=', id).execute()
}

export async function setKey(tx: Tx, id: bigint, licence_key: string): Promise<void> {
  await sql`update hosts set licence_key = ${licence_key}, key_checked_at = now() where id = ${id}`.execute(
    tx,
  )
}

/** Notes that the owner lets the key of a host stay. */
export async function noteKeyChecked(tx: Tx, id: bigint): Promise<void> {
  await sql`update hosts set key_checked_at = now() where id = ${id}`.execute(tx)
}

/** Deletes the keys whose time is over. Their revocations begin at the same time, so the list of them gets its next number. */
export async function endKeys(tx: Tx): Promise<void> {
  const { rows } = await sql`delete from former_keys where ends_at <= now() returning host_id`.execute(tx)
  if (rows.length > 0) await sql`select next_revocation()`.execute(tx)
}

/**
 * The fields of a host that the check of its licence needs. `licence_key` is the key that was asked with, and `key_until` the time at which that
 * key ends; null for the present key of the host.
 */
export type LicensedHost = Pick<
  HostRow,
  | 'id'
  | 'public_id'
  | 'product'
  | 'ipv4'
  | 'ipv6'
  | 'licence_key'
  | 'paid_until'
  | 'documents_from_s'
  | 'periods'
  | 'suspended'
  | 'now'
> & { key_until?: Date | null }

/**
 * The host of a licence key, for software that asks a thousand times a second: one statement reads many hosts, and only the needed
 * fields. The keys come from a subquery: PostgreSQL would plan a statement with a list of keys anew each time, which takes longer than
 * reading the rows. A key of before finds the host until its end.
 */
export const findHostByKey = batched(async (db: Db, licence_keys: readonly string[]) => {
  const asked = sql`any(array(select unnest(${[...licence_keys]}::text[])))`
  const { rows } = await sql<LicensedHost>`
    with named as (
      select id, licence_key, null::timestamptz as key_until from hosts where licence_key = ${asked}
      union all select host_id, licence_key, ends_at from former_keys
        where licence_key = ${asked} and ends_at > statement_timestamp())
    select h.id, h.public_id, ${product}, host(h.ipv4) as ipv4, abbrev(h.ipv6) as ipv6, n.licence_key, n.key_until, h.paid_until, ${documentsFrom},
      ${periods}, ${suspended}, statement_timestamp() as now
    from named n join hosts h on h.id = n.id where h.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.licence_key, row]))
})
