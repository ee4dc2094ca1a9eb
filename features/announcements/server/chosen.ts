import type { RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { Scope } from '#features/announcements/rules.ts'
import { mayNameIban } from '#features/customers/rules.ts'
import { customersOf, ownersOfHosts } from '#features/customers/server/customers.ts'

/**
 * Refuses a filter that may find customers by an IBAN, with 400 `iban_in_filter`@scope. The list finds them for those alone who may read
 * bank statements, so a letter would go to fewer than its author sees there.
 */
export function refuseIban({ customers }: Scope): void {
  if (customers?.q !== undefined && mayNameIban(customers.q)) throw badRequest('iban_in_filter', 'scope')
}

/** Returns a statement for the ids of the accounts that the filter of a scope finds now; undefined for a scope without a filter. */
export async function chosenBy(
  app: App,
  db: App['db'],
  { servers, customers }: Scope,
): Promise<RawBuilder<unknown> | undefined> {
  if (servers) return ownersOfHosts(servers)
  return customers && customersOf(app, db, customers)
}
