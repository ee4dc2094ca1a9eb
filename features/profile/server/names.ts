import type { App } from '#foundation/server/app.ts'
import { fullName } from '#features/profile/rules.ts'
import { accountsLike } from './claim-queries.ts'
import * as queries from './queries.ts'

export type Named = { id: string; name: string }

/**
 * Display names. `of` is for staff and for the user's own view: the full name, or the address if there is
 * none. `ofStaff` is for customers, who must never learn an address of staff: a colleague without a name is
 * shown as the operator. Empty for a deleted user; the page then shows the role.
 */
export async function displayNames(
  { config: { operator } }: Pick<App, 'config'>,
  db: App['db'],
  ids: readonly (string | null)[],
) {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const named = new Map((await queries.namesOf(db, wanted)).map((row) => [row.user_id, fullName(row)]))
  const nameless = wanted.filter((id) => named.get(id) === '')
  const addresses = new Map(
    (await queries.primaryAddressesOf(db, nameless)).map(({ user_id, email }) => [user_id, email]),
  )
  return {
    of: (id: string): Named => ({ id, name: named.get(id) || addresses.get(id) || '' }),
    ofStaff: (id: string): Named => ({ id, name: named.get(id) || operator.name }),
  }
}

/** Accounts by name and primary address, which is empty where none is proven: for people whom they let act for them. */
export async function namedAccounts(
  app: Pick<App, 'config'>,
  db: App['db'],
  ids: readonly string[],
): Promise<(Named & { email: string })[]> {
  const [names, addresses] = [await displayNames(app, db, ids), await queries.primaryAddressesOf(db, ids)]
  const byId = new Map(addresses.map(({ user_id, email }) => [user_id, email]))
  return ids.map((id) => ({ ...names.of(id), email: byId.get(id) ?? '' }))
}

/** Accounts whose name or proven address contains the text typed by a member of staff. */
export const findPeople = (db: App['db'], typed: string, limit: number) =>
  accountsLike(db, typed.trim(), limit)

/** First names by account; those who gave none are left out. */
export async function firstNamesOf(db: App['db'], ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries.namesOf(db, [...new Set(ids)])
  return new Map(rows.filter(({ name }) => name !== '').map(({ user_id, name }) => [user_id, name]))
}

/** The first name of a user, '' if none is known. */
export async function firstNameOf(db: App['db'], user_id: string): Promise<string> {
  return (await queries.profileOf(db, user_id))?.name ?? ''
}
