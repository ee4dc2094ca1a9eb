import pg from 'pg'
import { inject } from 'vitest'
import type { TestApp } from './test-app.ts'

/**
 * Connects to the test's database as a role that may do anything there: for planting damage that no part of the product can
 * cause.
 */
export async function superuserOf(test: TestApp): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(test) })
  await client.connect()
  return client
}

/** Returns a pool of at most `max` such connections. */
export function superusersOf(test: TestApp, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: urlOf(test), max })
  pool.on('error', () => {})
  return pool
}

function urlOf({ app }: TestApp): string {
  const [, database = ''] = /@[^/]*\/([^?]+)/.exec(app.ownerUrl) ?? []
  return inject('adminUrl').replace(/(@[^/]*\/)[^?]+/, `$1${database}`)
}
