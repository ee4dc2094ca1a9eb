import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { estimatedRows, holdsWords, partsOfSearch } from '#foundation/server/database/search-queries.ts'
import type { LineState, Match } from '#features/banking/rules.ts'
import { countOpen, lineColumns, type LineRow } from './queries.ts'

type Db = App['db']

export type Wanted = {
  state: LineState
  match?: Match | undefined
  /** A part of the payment's name, account and text, joined by blanks. */
  q?: string | undefined
  after?: { day: string; id: string } | undefined
  limit: number
}

/**
 * A text that more payments than this contain is searched backward in time; a rarer text by the index of parts. PostgreSQL estimates
 * parts that occur together as rarer than they are, so the query counts the payments as well.
 */
const COMMON = 2_000

const written = sql`l.name || ' ' || l.iban || ' ' || l.text`

/** Returns the wanted payments, newest first. */
export async function listLines(db: Db, { state, match, q, after, limit }: Wanted): Promise<LineRow[]> {
  const conditions = [sql`l.state = ${state}`]
  if (match) conditions.push(sql`l.match = ${match}`)
  if (after) conditions.push(sql`(l.booked_on, l.id) < (${after.day}::date, ${after.id}::uuid)`)
  if (q !== undefined) conditions.push(holdsWords(written, q))
  const isWanted = sql.join(conditions, sql` and `)
  const newest = sql`order by l.booked_on desc, l.id desc limit ${limit}`
  const having = q === undefined ? undefined : sql`select * from bank_lines l where ${hasPartsOf(q)}`
  const { rows } =
    having && (await estimatedRows(db, having)) <= COMMON
      ? await sql<LineRow>`
          with few as materialized (${having} limit ${COMMON + 1}), counted as materialized (select count(*) as found from few)
          select ${lineColumns} from (
            select * from few l where (select found from counted) <= ${COMMON} and ${isWanted}
            union all (select * from bank_lines l where (select found from counted) > ${COMMON} and ${isWanted} ${newest})) as l
          ${newest}`.execute(db)
      : await sql<LineRow>`select ${lineColumns} from bank_lines l where ${isWanted} ${newest}`.execute(db)
  return rows
}

/** The payments that have the parts of these words, three letters each, by the index bank_lines_by_search_part. */
const hasPartsOf = (q: string) => sql`search_parts_of(${written}) @> ${partsOfSearch(q)}`

/** Returns the counts of open payments beside each page; requests at the same time share one query, because it reads every open payment. */
export const countOpenTogether = batched(async (db: Db, keys: readonly 'open'[]) => {
  const counts = await countOpen(db)
  return new Map(keys.map((key) => [key, counts]))
})
