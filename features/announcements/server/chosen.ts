import type { RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Scope } from '#features/announcements/rules.ts'
import { customersOf, ownersOfHosts } from '#features/customers/server/customers.ts'

/** Returns a statement for the ids of the accounts that the filter of a scope finds now; undefined for a scope without a filter. */
export async function chosenBy(
  app: App,
  db: App['db'],
  { servers, customers }: Scope,
): Promise<RawBuilder<unknown> | undefined> {
  if (servers) return ownersOfHosts(servers)
  return customers && customersOf(app, db, customers)
}
