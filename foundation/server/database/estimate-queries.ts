import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from './tables.ts'

/** Returns how many rows PostgreSQL expects from a statement. Searches choose between two forms of a query by this number. */
export async function estimatedRows(db: Kysely<Database>, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
  }>`explain (format json) ${query}`.execute(db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
