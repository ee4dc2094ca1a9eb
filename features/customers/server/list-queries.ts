import { sql, type Kysely, type RawBuilder } from 'kysely'
import { holdsWords } from '#foundation/server/database/search-queries.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { pageInParts, type PlaceInParts } from '#foundation/server/paging/in-parts.ts'
import type { Sort, State } from '#features/customers/rules.ts'
import { ownersOfNamed } from '#features/hosts/server/hosts.ts'
import {
  peopleLikeButByName,
  peopleNamed,
  peopleWithParts,
  streetsWith,
} from '#features/profile/server/profile.ts'
import { partsOf, type Part } from './list-order-queries.ts'
import type { CustomerRow } from './queries.ts'
import type { Words } from './search.ts'

type Db = Kysely<Database>

export type Wanted = {
  /** The ids to choose from; undefined where the list is not searched. */
  ids?: readonly string[] | undefined
  /** The words that the statement of the list searches itself. */
  words?: Words | undefined
  state?: State | undefined
  debt: boolean
  sort: Sort
  currency: string
  after?: PlaceInParts | undefined
  limit: number
}

/** True for a list that shows most customers. A list of few might read all customers in its order before a page is full. */
export const showsMost = ({ state, debt }: Pick<Wanted, 'state' | 'debt'>): boolean =>
  !debt && (state === undefined || state === 'active')

/** The number of elements that PostgreSQL expects of any json list. */
const EXPECTED = 100

// Limits are written into the statement, as the limit of a page is: the most accounts that a word finds, the most names that a list reads,
// and `FEW` of search.ts.
const MOST = sql<number>`1000`
const CANDIDATES = sql<number>`20000`
const FEW = sql<number>`300`

/**
 * Returns a page of customers in the wanted order. Words that were expected in few names, but are in many (such as a surname), are
 * searched for again in the way for many.
 */
export async function listCustomers(db: Db, wanted: Wanted): Promise<ListedCustomer[]> {
  const { words, sort, debt } = wanted
  const names = { areMore: false }
  const rows = await pageInParts(partsOf(sort, debt), wanted, async (part, page) => {
    const read = await pageOf(db, { ...wanted, ...page }, part)
    names.areMore ||= read.some(({ are_more }) => are_more)
    return read.flatMap((row) => (row.user_id === null ? [] : [row]))
  })
  return words?.spread === 'few' && names.areMore
    ? listCustomers(db, { ...wanted, words: { ...words, spread: 'many' } })
    : rows
}

type ListedCustomer = CustomerRow & { part: number }

/** A customer, or one row without a customer if none was found; `are_more` is true if more names have the words than were read. */
type Row = (CustomerRow | { user_id: null }) & { are_more: boolean }

/**
 * Reads a page by an index for its order (decision 070), 101 rows at most. The limit is written into the statement, and few ids
 * come as json: a limit or an array that is a parameter may have any size in a kept plan, so PostgreSQL planned each page anew,
 * which took half of its time or more.
 */
async function pageOf(db: Db, wanted: Wanted, part: Part): Promise<Row[]> {
  const { ids, words, state, debt, currency, after, limit } = wanted
  const areMany = ids !== undefined && ids.length > EXPECTED
  const conditions = [sql`(c.currency is null or c.currency = ${currency})`, part.condition]
  if (debt) conditions.push(sql`c.balance < 0`)
  if (ids)
    conditions.push(
      areMany
        ? sql`c.user_id = any(${[...ids]}::uuid[])`
        : sql`c.user_id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`,
    )
  if (words) conditions.push(isFound(words))
  if (state) conditions.push(inState[state])
  if (after) conditions.push(part.isAfter(after.place, sql`${after.id}::uuid`))
  const most = areMany ? sql`` : sql`limit 101`
  const matched = words
    ? sql`(select json_build_object('kind', kind, 'text', text) from things where things.user_id = page.user_id limit 1)`
    : sql`null`
  const areMore = words?.spread === 'few' ? sql`(select count(*) from named) > ${FEW}` : sql`false`
  const { rows } = await sql<Row>`
    ${words ? withFound(words) : sql``}
    select page.*, ${matched} as matched, are_more from (select ${areMore} as are_more) as names left join (
      select c.*, ${part.place} as place from customer_list c where ${sql.join(conditions, sql` and `)}
      order by ${part.by} ${most}) as page on true limit ${limit}`.execute(db)
  return rows
}

/**
 * The accounts that words find by company, address, host or street, and by name if few names have the words. The statement of the list searches
 * them itself, since a thousand ids take longer to transfer than to find.
 */
function withFound(words: Words): RawBuilder<unknown> {
  const { text, spread } = words
  const isFew = spread === 'few'
  return sql`
    with things as materialized (
      select user_id, text, 'host' as kind from (${ownersOfNamed(text, MOST)}) as hosts
      union all select user_id, text, 'street' from (${streetsWith(words, MOST)}) as streets),
    ${isFew ? sql`named as materialized (${peopleNamed(words, sql<number>`${FEW} + 1`)}),` : sql``}
    found as materialized (
      select user_id from (${peopleLikeButByName(words, MOST)}) as people union all select user_id from things
      ${isFew ? sql`union all select user_id from named where (select count(*) from named) <= ${FEW}` : sql``})`
}

/** The condition in SQL for a customer whom the words find. */
function isFound(words: Words): RawBuilder<unknown> {
  const { text, spread } = words
  const isOther = sql`c.user_id in (select user_id from found)`
  if (spread === 'few') return isOther
  const isNamed = holdsWords(sql`full_name(c.name, c.middle_name, c.surname)`, text)
  if (spread === 'most') return sql`(${isNamed} or ${isOther})`
  // `is true` hides from PostgreSQL how few candidates there are: it reads the list in its order until a page is full, and does not sort all.
  const candidates = sql`
    select user_id from (${peopleWithParts(words, CANDIDATES)}) as named union all select user_id from found`
  return sql`(${isNamed} or ${isOther}) and (c.user_id in (${candidates})) is true`
}

export const inState: Readonly<Record<State, RawBuilder<unknown>>> = {
  active: sql`c.access = 'open' and c.is_proven`,
  unconfirmed: sql`c.access = 'open' and c.user_id in (select user_id from unproven_accounts)`,
  blocked: sql`c.access = 'blocked'`,
  locked: sql`c.access = 'locked'`,
}
