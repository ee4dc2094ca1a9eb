import pg from 'pg'
import { toPrimary } from './primary.ts'

/** Does something on a connection of the schema's owner, and closes it. */
export async function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: toPrimary(ownerUrl), connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
