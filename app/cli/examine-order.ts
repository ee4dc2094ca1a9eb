import type pg from 'pg'
import { outdatedCollations } from '#foundation/server/database/collations.ts'
import { Warning } from './warning.ts'

/**
 * Finds indices of texts that were built with another version of the collation library. After an upgrade of the operating system under
 * PostgreSQL such an index may miss rows.
 */
export async function examineOrder(client: pg.Client): Promise<string> {
  const outdated = await outdatedCollations(client)
  if (outdated.length === 0) return 'texts are ordered as their indices were made'
  const commands = outdated.map(({ refresh }) => `${refresh};`).join(' ')
  throw new Warning(
    `the library that orders texts is another version than that of the indices. Stop everything, and in psql: reindex database; ${commands}`,
  )
}
