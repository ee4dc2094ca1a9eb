import { sql, type RawBuilder } from 'kysely'
import { shortForm } from '#foundation/search-text.ts'
import type { App } from '#foundation/server/app.ts'

type Db = App['db']
type OwnedName = { user_id: string; text: string }

type Limit = number | RawBuilder<number>

/**
 * Returns a query, which can be a part of another query, for the owners of hosts with this address or in this network, also those whose IPv6
 * network contains it. Hosts with free licences may share an address. IPv4 are a range, since a generic plan would read all hosts for a
 * network that it does not know.
 */
export const ownersOfAddress = (address: string, limit: Limit): RawBuilder<OwnedName> => sql`
  select user_id, case family(${address}::inet) when 4 then host(ipv4) else abbrev(ipv6) end as text from hosts
  where (ipv4 between set_masklen(network(${address}::inet)::inet, 32) and set_masklen(broadcast(${address}::inet), 32)
    or ipv6 && ${address}::inet) and deleted_at is null limit ${limit}`

export async function ownersByAddress(db: Db, address: string, limit: number): Promise<OwnedName[]> {
  return (await ownersOfAddress(address, limit).execute(db)).rows
}

// If the names of more than 5000 hosts begin with the text, the query reads the hosts from the newest backward, where a page is soon
// full; otherwise it uses the index of names. The numbers are no parameters, because a generic plan would not know their size.
const COMMON = sql`5000`
const MORE = sql`5001`

// The index hosts_by_name is on this expression.
const written = sql`shortened(fold_text(name))`

/**
 * Returns a query, which can be a part of another query, for the owners of hosts whose name begins with `beginning` (rule 55), the
 * newest host first. The beginning is a range and not a pattern: a generic plan cannot use the index of names for a pattern, and reads all hosts
 * even for a name that nobody has.
 */
export function ownersOfNamed(beginning: string, limit: Limit): RawBuilder<OwnedName> {
  const first = shortForm(beginning)
  // Nothing begins with what vanishes, such as a hyphen alone.
  if (first === '' && beginning !== '') return sql`select user_id, name as text from hosts where false`
  return sql`
    with few as materialized (
      select user_id, name, id from hosts
      where ${written} ~>=~ ${first} and ${written} ~<~ ${`${first}\u{10ffff}`} and deleted_at is null limit ${MORE}),
    counted as materialized (select count(*) as found from few)
    select user_id, text from (
      select user_id, name as text, id from few where (select found from counted) <= ${COMMON}
      union all (
        select user_id, name, id from hosts
        where (select found from counted) > ${COMMON} and left(${written}, length(${first})) = ${first} and deleted_at is null
        order by id desc limit ${limit})) as named
    order by id desc limit ${limit}`
}

export async function ownersByHostName(db: Db, beginning: string, limit: number): Promise<OwnedName[]> {
  return (await ownersOfNamed(beginning, limit).execute(db)).rows
}
