import type { App } from '#foundation/server/app.ts'
import { fullName } from '#features/profile/rules.ts'
import * as queries from './queries.ts'

export type Named = { id: string; name: string }

/**
 * What people are called towards others: the full name, or where there is none the address, and that only where the reader
 * may know it. Empty for who is gone or unnamed; the page then says what they are.
 */
export async function displayNames(db: App['db'], ids: readonly (string | null)[]) {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const named = new Map((await queries.namesOf(db, wanted)).map((row) => [row.user_id, fullName(row)]))
  const nameless = wanted.filter((id) => named.get(id) === '')
  const addresses = new Map(
    (await queries.primaryAddressesOf(db, nameless)).map(({ user_id, email }) => [user_id, email]),
  )
  return {
    of(id: string, mayKnowAddress: boolean): Named {
      return { id, name: named.get(id) || (mayKnowAddress ? addresses.get(id) : undefined) || '' }
    },
  }
}

/** Accounts whose name or address holds what somebody of the staff typed. */
export const findPeople = (db: App['db'], typed: string, limit: number) =>
  queries.accountsLike(db, typed.trim(), limit)
