import pg from 'pg'
import { afterAll } from 'vitest'
import type { TestApp } from './test-app.ts'
import { must } from '#foundation/must.ts'

/** A connection as the owner of the schema until the end of the file, and how many rows a table (with a condition) has. */
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
