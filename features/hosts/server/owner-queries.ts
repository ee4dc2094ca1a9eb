import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'

type Db = App['db']
type OwnedName = { user_id: string; text: string }

/** The owners of hosts with this address, or with an IPv6 in this network; several where licences are free. */
export async function ownersByAddress(db: Db, address: string, limit: number): Promise<OwnedName[]> {
  const { rows } = await sql<OwnedName>`
    select user_id, case family(${address}::inet) when 4 then host(ipv4) else abbrev(ipv6) end as text from hosts
    where (ipv4 = ${address}::inet or ipv6 && ${address}::inet) and deleted_at is null limit ${limit}`.execute(
    db,
  )
  return rows
}

// Names that more hosts begin with are read backward by their number, where a page is soon full; rarer ones by the index of names. Parts of
// the statement, since a limit that is a value may be of any size for a plan that is kept.
const COMMON = sql`5000`
const MORE = sql`5001`

/**
 * The owners of hosts whose name begins so, those of the newest hosts first, as a query that another may hold. The beginning is given as a
 * range and not as a pattern: a plan that is kept for all patterns cannot use the index of names, and read every host of everybody for a name
 * that nobody has.
 */
export function ownersOfNamed(beginning: string, limit: number | RawBuilder<number>): RawBuilder<OwnedName> {
  const first = beginning.toLowerCase()
  return sql`
    with few as materialized (
      select user_id, name, id from hosts
      where lower(name) ~>=~ ${first} and lower(name) ~<~ ${`${first}\u{10ffff}`} and deleted_at is null limit ${MORE}),
    counted as materialized (select count(*) as found from few)
    select user_id, text from (
      select user_id, name as text, id from few where (select found from counted) <= ${COMMON}
      union all (
        select user_id, name, id from hosts
        where (select found from counted) > ${COMMON} and left(lower(name), length(${first})) = ${first} and deleted_at is null
        order by id desc limit ${limit})) as named
    order by id desc limit ${limit}`
}

export async function ownersByHostName(db: Db, beginning: string, limit: number): Promise<OwnedName[]> {
  return (await ownersOfNamed(beginning, limit).execute(db)).rows
}
