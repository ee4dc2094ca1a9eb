import { Client } from 'pg'
import { inject } from 'vitest'
import type { TestApp } from './test-app.ts'

/**
 * A connection to the test's database as a role that may do anything there: for planting damage that no part of the product can
 * do.
 */
export async function superuserOf({ app }: TestApp): Promise<Client> {
  const [, database = ''] = /@[^/]*\/([^?]+)/.exec(app.ownerUrl) ?? []
  const client = new Client({
    connectionString: inject('adminUrl').replace(/(@[^/]*\/)[^?]+/, `$1${database}`),
  })
  await client.connect()
  return client
}
