import pg from 'pg'
import { afterAll } from 'vitest'
import type { TestApp } from './test-app.ts'
import { must } from '#foundation/must.ts'

/**
 * Opens a connection as the owner of the schema until the end of the test file. `count` returns the number of rows of a table, whose name
 * a condition may follow.
 */
export async function ownerOf({ app }: Pick<TestApp, 'app'>) {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  afterAll(() => owner.end())
  const count = async (table: string) => {
    const { rows } = await owner.query<{ found: number }>(`select count(*)::int as found from ${table}`)
    return must(rows[0]).found
  }
  return { owner, count }
}
