import type { App } from '#foundation/server/app.ts'
import { fullName } from '#features/profile/rules.ts'
import { accountsLike } from './claim-queries.ts'
import * as queries from './queries.ts'

export type Named = { id: string; name: string }

/**
 * Display names. `of` is for staff and for oneself: the full name, or where there is none the address. `ofStaff` is for
 * customers, who must never learn an address of staff: a colleague without a name speaks as the operator. Empty for who is
 * gone; the page then says what they are.
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

/** Accounts whose name or proven address holds what somebody of the staff typed. */
export const findPeople = (db: App['db'], typed: string, limit: number) =>
  accountsLike(db, typed.trim(), limit)

/** The first name of somebody, '' where none is known. */
export async function firstNameOf(db: App['db'], user_id: string): Promise<string> {
  return (await queries.namesOf(db, [user_id]))[0]?.name ?? ''
}
