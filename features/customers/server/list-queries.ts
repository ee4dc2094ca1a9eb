import { sql, type Kysely, type RawBuilder } from 'kysely'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Sort, State } from '#features/customers/rules.ts'
import { ownersOfNamed } from '#features/hosts/server/hosts.ts'
import { peopleLike, peopleLikeButByName, peopleWithParts } from '#features/profile/server/profile.ts'
import type { CustomerRow } from './queries.ts'
import type { Words } from './search.ts'

type Db = Kysely<Database>

export type Wanted = {
  /** The ids to choose from; undefined where the list is not searched. */
  ids?: readonly string[] | undefined
  /** Looked for by the list itself. */
  words?: Words | undefined
  state?: State | undefined
  debt: boolean
  sort: Sort
  currency: string
  after?: { place: string; id: string } | undefined
  limit: number
}

/** PostgreSQL expects so many of a json list, whatever it holds. */
const EXPECTED = 100

/** A word that more have finds so many of them; a part of the statement, as the limit of a page is. */
const MOST = sql<number>`1000`

/** The most names that a list looks at. */
const CANDIDATES = sql<number>`20000`

/**
 * A page of customers in the wanted order, by an index each (decision 070), of 101 rows at most. The most stands in the statement, and few
 * ids come as json: a limit that is a value, or an array, may be of any size for a plan that is kept, so that PostgreSQL planned each
 * page anew, which was half of its time and more.
 */
export async function listCustomers(db: Db, wanted: Wanted): Promise<CustomerRow[]> {
  const { ids, words, state, debt, sort, currency, after, limit } = wanted
  const areMany = ids !== undefined && ids.length > EXPECTED
  const byBalance = debt || sort === 'balance'
  const way = debt ? sql`asc` : sql`desc`
  const conditions = [sql`(c.currency is null or c.currency = ${currency})`]
  if (byBalance) conditions.push(debt ? sql`c.balance < 0` : sql`c.balance <> 0`)
  if (ids)
    conditions.push(
      areMany
        ? sql`c.user_id = any(${[...ids]}::uuid[])`
        : sql`c.user_id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`,
    )
  if (words) conditions.push(isFound(words))
  if (state) conditions.push(inState[state])
  const key = byBalance ? sql`c.balance` : times[sort === 'last_login_at' ? 'last_login_at' : 'created_at']
  if (after) {
    const value = byBalance ? sql`${after.place}::bigint` : timeOf(after.place)
    conditions.push(sql`(${key}, c.user_id) ${debt ? sql`>` : sql`<`} (${value}, ${after.id}::uuid)`)
  }
  const place = byBalance ? sql`c.balance::text` : microsecondsOf(key)
  const most = areMany ? sql`` : sql`limit 101`
  const host = words ? sql`(select text from owners where owners.user_id = page.user_id limit 1)` : sql`null`
  const { rows } = await sql<CustomerRow>`
    ${words ? withFound(words) : sql``}
    select page.*, ${host} as host from (
      select c.*, ${place} as place from customer_list c where ${sql.join(conditions, sql` and `)}
      order by ${key} ${way}, c.user_id ${way} ${most}) as page limit ${limit}`.execute(db)
  return rows
}

/**
 * The accounts that words find beside their names, with the owners of hosts, and the names where they are few. Searched by the list's own
 * statement, since a thousand ids take longer to carry than to find.
 */
function withFound({ text, spread }: Words): RawBuilder<unknown> {
  const people = spread === 'few' ? peopleLike(text, MOST) : peopleLikeButByName(text, MOST)
  return sql`
    with owners as materialized (${ownersOfNamed(text, MOST)}),
    found as materialized (select user_id from (${people}) as people union all select user_id from owners)`
}

/** True for a customer whom the words mean. */
function isFound({ text, spread }: Words): RawBuilder<unknown> {
  const isOther = sql`c.user_id in (select user_id from found)`
  if (spread === 'few') return isOther
  const isNamed = sql`strpos(lower(full_name(c.name, c.middle_name, c.surname)), lower(${text})) > 0`
  if (spread === 'most') return sql`(${isNamed} or ${isOther})`
  // A condition that hides how few they are: PostgreSQL then reads the list in its order until a page is full, where it would put all in order.
  const candidates = sql`
    select user_id from (${peopleWithParts(text, CANDIDATES)}) as named union all select user_id from found`
  return sql`(${isNamed} or ${isOther}) and (c.user_id in (${candidates})) is true`
}

const inState: Readonly<Record<State, RawBuilder<unknown>>> = {
  active: sql`c.access = 'open' and c.is_proven`,
  unconfirmed: sql`c.access = 'open' and c.user_id in (select user_id from unproven_accounts)`,
  blocked: sql`c.access = 'blocked'`,
  locked: sql`c.access = 'locked'`,
}

const times = {
  created_at: sql`c.created_at`,
  last_login_at: sql`coalesce(c.last_login_at, c.created_at)`,
}
