import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { toPrimary } from './primary.ts'
import type { Database } from './tables.ts'

/** Runs `work` on a connection of its own, apart from the pools, and closes the connection. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: toPrimary(url), connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns a query builder over a single connection, for reads that the application also does over its pool. */
export function databaseOn(client: pg.Client): Kysely<Database> {
  const pool = {
    connect: async () => Object.assign(client, { release() {} }),
    end: async () => {},
    options: {},
  }
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
