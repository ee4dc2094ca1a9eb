import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { byDay, orderOf } from '#foundation/server/database/order.ts'
import { estimatedRows, holdsWords, partsOfSearch } from '#foundation/server/database/search-queries.ts'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { lineStates, type LineState, type Match } from '#features/banking/rules.ts'
import { countOpen, lineColumns, type LineRow } from './queries.ts'

type Db = App['db']

export type Wanted = {
  state: LineState | 'any'
  match?: Match | undefined
  /** A part of the payment's name, account and text, joined by blanks. */
  q?: string | undefined
  /** The newest first if left out. */
  sort?: ByTimeOrAmount | undefined
  /** The day or the amount, and the id, of the row after which the page begins. */
  after?: { place: string; id: string } | undefined
  limit: number
}

/**
 * A text that more payments than this contain is searched backward in time; a rarer text by the index of parts. PostgreSQL estimates
 * parts that occur together as rarer than they are, so the query counts the payments as well.
 */
const COMMON = 2_000

const written = sql`l.name || ' ' || l.iban || ' ' || l.text`

type ListedLine = LineRow & {
  /** The place of the payment in the order of the list. */
  at: string
}

/** Returns the wanted payments in their order. */
export async function listLines(
  db: Db,
  { state, match, q, sort = 'newest', after, limit }: Wanted,
): Promise<ListedLine[]> {
  const order = orderOf(sort, { time: byDay(sql`l.booked_on`), amount: sql`l.amount`, id: sql`l.id` })
  const states = state === 'any' ? lineStates : [state]
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (match) conditions.push(sql`l.match = ${match}`)
  if (after) conditions.push(order.isAfter(after.place, sql`${after.id}::uuid`))
  if (q !== undefined) conditions.push(holdsWords(written, q))
  const isWanted = sql.join(conditions, sql` and `)
  const first = sql`order by ${order.by} limit ${limit}`
  // Each state has the list in its order; of several, the first of each are read.
  const walked = (isWalked: RawBuilder<unknown>) =>
    sql.join(
      states.map(
        (one) =>
          sql`(select * from bank_lines l where ${isWalked} and l.state = ${one} and ${isWanted} ${first})`,
      ),
      sql` union all `,
    )
  const having = q === undefined ? undefined : sql`select * from bank_lines l where ${hasPartsOf(q)}`
  const { rows } =
    having && (await estimatedRows(db, having)) <= COMMON
      ? await sql<ListedLine>`
          with few as materialized (${having} limit ${COMMON + 1}), counted as materialized (select count(*) as found from few)
          select ${lineColumns}, ${order.place} as at from (
            select * from few l where (select found from counted) <= ${COMMON} and l.state = any(${states}) and ${isWanted}
            union all ${walked(sql`(select found from counted) > ${COMMON}`)}) as l
          ${first}`.execute(db)
      : await sql<ListedLine>`
          select ${lineColumns}, ${order.place} as at from (${walked(sql`true`)}) as l ${first}`.execute(db)
  return rows
}

/** The payments that have the parts of these words, three letters each, by the index bank_lines_by_search_part. */
const hasPartsOf = (q: string) => sql`search_parts_of(${written}) @> ${partsOfSearch(q)}`

/** Returns the counts of open payments beside each page; requests at the same time share one query, because it reads every open payment. */
export const countOpenTogether = batched(async (db: Db, keys: readonly 'open'[]) => {
  const counts = await countOpen(db)
  return new Map(keys.map((key) => [key, counts]))
})
