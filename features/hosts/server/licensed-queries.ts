import { sql } from 'kysely'
import { batched } from '#foundation/server/database/batched.ts'
import { documentsFrom, periods, suspended, type Db, type HostRow } from './queries.ts'

/**
 * The fields of a host that the check of its licence needs. `licence_key` is the key that was asked with, and `key_until` the time at which that
 * key ends; null for the present key of the host.
 */
export type LicensedHost = Pick<
  HostRow,
  | 'id'
  | 'public_id'
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
    select h.id, h.public_id, host(h.ipv4) as ipv4, abbrev(h.ipv6) as ipv6, n.licence_key, n.key_until, h.paid_until, ${documentsFrom},
      ${periods}, ${suspended}, statement_timestamp() as now
    from named n join hosts h on h.id = n.id where h.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.licence_key, row]))
})
