import pg from 'pg'
import { toPrimary } from './primary.ts'

/** Does something on a connection of its own, apart from the pools, and closes it. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: toPrimary(url), connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
