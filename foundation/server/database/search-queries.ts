import { type Kysely, type RawBuilder, sql } from 'kysely'
import { searchWords } from '#foundation/search-text.ts'
import type { Database } from './tables.ts'

/** The condition that a column holds all words of a search (rule 55); a search without words, such as `-`, is taken as it was typed. */
export function holdsWords(column: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  const words = searchWords(typed)
  if (words.length === 0) return sql`strpos(lower(${column}), lower(${typed}::text)) > 0`
  const conditions = words.map((word) => sql`strpos(searchable(${column}), ${word}::text) > 0`)
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** The parts, of three letters each or fewer for a shorter word, that a text has which holds all words of a search. */
export const partsOfSearch = (typed: string): RawBuilder<string[]> =>
  sql`${searchWords(typed).flatMap(partsCovering)}::text[]`

function partsCovering(word: string): string[] {
  const letters = [...word]
  const last = Math.max(0, letters.length - 3)
  const places = Array.from({ length: Math.ceil(last / 3) }, (_, index) => index * 3)
  return [...places, last].map((place) => letters.slice(place, place + 3).join(''))
}

/** Returns how many rows PostgreSQL expects from a statement. Searches choose between two forms of a query by this number. */
export async function estimatedRows(db: Kysely<Database>, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
  }>`explain (format json) ${query}`.execute(db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
