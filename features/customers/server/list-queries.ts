import { sql, type Kysely, type RawBuilder } from 'kysely'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Sort, State } from '#features/customers/rules.ts'
import { ownersOfNamed } from '#features/hosts/server/hosts.ts'
import {
  peopleByAge,
  peopleLikeButByName,
  peopleNamed,
  peopleWithParts,
} from '#features/profile/server/profile.ts'
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

/** True for a list that shows most customers: others may never fill a page when they are read in their order. */
export const showsMost = ({ state, debt }: Pick<Wanted, 'state' | 'debt'>): boolean =>
  !debt && (state === undefined || state === 'active')

/** PostgreSQL expects so many of a json list, whatever it holds. */
const EXPECTED = 100

/** A word that more have finds so many of them; a part of the statement, as the limit of a page is. */
const MOST = sql<number>`1000`

/** The most names that a list looks at. */
const CANDIDATES = sql<number>`20000`

/** As many as `FEW`, as a part of the statement. */
const FEW = sql<number>`300`

/**
 * A page of customers in the wanted order. Words that few names were expected to have, and many do, as a surname, are looked for in the
 * way for many.
 */
export async function listCustomers(db: Db, wanted: Wanted): Promise<CustomerRow[]> {
  const rows = await pageOf(db, wanted)
  const { words } = wanted
  if (words?.spread === 'few' && rows.some(({ are_more }) => are_more))
    return listCustomers(db, { ...wanted, words: { ...words, spread: 'many' } })
  return rows.flatMap((row) => (row.user_id === null ? [] : [row]))
}

/** A customer, or one row without any where there is none; `are_more` where more names have the words than were read. */
type Row = (CustomerRow | { user_id: null }) & { are_more: boolean }

/**
 * A page by an index each (decision 070), of 101 rows at most. The most stands in the statement, and few
 * ids come as json: a limit that is a value, or an array, may be of any size for a plan that is kept, so that PostgreSQL planned each
 * page anew, which was half of its time and more.
 */
async function pageOf(db: Db, wanted: Wanted): Promise<Row[]> {
  const { ids, words, state, debt, currency, after, limit } = wanted
  const areMany = ids !== undefined && ids.length > EXPECTED
  const { list, key, id, byBalance } = orderOf(wanted)
  const way = debt ? sql`asc` : sql`desc`
  const conditions = [sql`(c.currency is null or c.currency = ${currency})`]
  if (byBalance) conditions.push(debt ? sql`c.balance < 0` : sql`c.balance <> 0`)
  if (ids)
    conditions.push(
      areMany
        ? sql`c.user_id = any(${[...ids]}::uuid[])`
        : sql`c.user_id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`,
    )
  if (words && !isByAge(wanted)) conditions.push(isFound(words))
  if (state) conditions.push(inState[state])
  if (after) {
    const value = byBalance ? sql`${after.place}::bigint` : timeOf(after.place)
    conditions.push(sql`(${key}, ${id}) ${debt ? sql`>` : sql`<`} (${value}, ${after.id}::uuid)`)
  }
  const place = byBalance ? sql`c.balance::text` : microsecondsOf(key)
  const most = areMany ? sql`` : sql`limit 101`
  const host = words ? sql`(select text from owners where owners.user_id = page.user_id limit 1)` : sql`null`
  const areMore = words?.spread === 'few' ? sql`(select count(*) from named) > ${FEW}` : sql`false`
  const { rows } = await sql<Row>`
    ${words ? withFound(words) : sql``}
    select page.*, ${host} as host, are_more from (select ${areMore} as are_more) as names left join (
      select c.*, ${place} as place from ${list} where ${sql.join(conditions, sql` and `)}
      order by ${key} ${way}, ${id} ${way} ${most}) as page on true limit ${limit}`.execute(db)
  return rows
}

/** True where many have the name and the newest of them are wanted: they are looked for among the names, which are in this order. */
const isByAge = (wanted: Wanted): boolean =>
  wanted.words !== undefined &&
  wanted.words.spread !== 'few' &&
  wanted.sort === 'created_at' &&
  showsMost(wanted)

type Order = {
  list: RawBuilder<unknown>
  key: RawBuilder<unknown>
  id: RawBuilder<unknown>
  byBalance: boolean
}

/** The customers that a list chooses from, and what they are put in order by. */
function orderOf(wanted: Wanted): Order {
  const { words, sort, debt } = wanted
  const order = { list: sql`customer_list c`, id: sql`c.user_id`, byBalance: false }
  if (debt || sort === 'balance') return { ...order, key: sql`c.balance`, byBalance: true }
  if (sort === 'last_login_at') return { ...order, key: sql`coalesce(c.last_login_at, c.created_at)` }
  if (!words || !isByAge(wanted)) return { ...order, key: sql`c.created_at` }
  const named = peopleByAge(words.text, sql<boolean>`user_id in (select user_id from found)`)
  const list = sql`(${named}) as named join customer_list c on c.user_id = named.user_id`
  return { list, key: sql`named.created_at`, id: sql`named.user_id`, byBalance: false }
}

/**
 * The accounts that words find beside their names, with the owners of hosts, and the names where they are few. Searched by the list's own
 * statement, since a thousand ids take longer to carry than to find.
 */
function withFound(words: Words): RawBuilder<unknown> {
  const { text, spread } = words
  const isFew = spread === 'few'
  return sql`
    with owners as materialized (${ownersOfNamed(text, MOST)}),
    ${isFew ? sql`named as materialized (${peopleNamed(words, sql<number>`${FEW} + 1`)}),` : sql``}
    found as materialized (
      select user_id from (${peopleLikeButByName(words, MOST)}) as people union all select user_id from owners
      ${isFew ? sql`union all select user_id from named where (select count(*) from named) <= ${FEW}` : sql``})`
}

/** True for a customer whom the words mean. */
function isFound(words: Words): RawBuilder<unknown> {
  const { text, spread } = words
  const isOther = sql`c.user_id in (select user_id from found)`
  if (spread === 'few') return isOther
  const isNamed = sql`strpos(lower(full_name(c.name, c.middle_name, c.surname)), lower(${text})) > 0`
  if (spread === 'most') return sql`(${isNamed} or ${isOther})`
  // A condition that hides how few they are: PostgreSQL then reads the list in its order until a page is full, where it would put all in order.
  const candidates = sql`
    select user_id from (${peopleWithParts(words, CANDIDATES)}) as named union all select user_id from found`
  return sql`(${isNamed} or ${isOther}) and (c.user_id in (${candidates})) is true`
}

const inState: Readonly<Record<State, RawBuilder<unknown>>> = {
  active: sql`c.access = 'open' and c.is_proven`,
  unconfirmed: sql`c.access = 'open' and c.user_id in (select user_id from unproven_accounts)`,
  blocked: sql`c.access = 'blocked'`,
  locked: sql`c.access = 'locked'`,
}
