import type { App } from '#foundation/server/app.ts'
import { fullName } from '#features/profile/rules.ts'
import { withoutLinks } from '#foundation/link-like.ts'
import { peopleLike, streetsWith } from './claim-queries.ts'
import { countNamesWith } from './name-frequencies.ts'
import * as queries from './queries.ts'

type Named = { id: string; name: string }

/**
 * Display names, for pages and mails of others: without the links that names of releases before may hold. `of` is for staff and for the user's own view: the full name, or the address if there is
 * none, and the name of a token. `ofStaff` is for customers, who must never learn an address of staff: a colleague without a name is
 * shown as the operator. Empty for a deleted user; the page then shows the role.
 */
export async function displayNames(
  { config: { operator } }: Pick<App, 'config'>,
  db: App['db'],
  ids: readonly (string | null)[],
) {
  const rows = await queries.namesOf(
    db,
    ids.filter((id) => id !== null),
  )
  const unknown = ids.filter((id) => id !== null && !rows.has(id))
  const programs = unknown.length === 0 ? undefined : await queries.tokenNames(db, unknown)
  const nameOf = (id: string): string => {
    const row = rows.get(id)
    return withoutLinks(row ? fullName(row) : (programs?.get(id) ?? ''))
  }
  return {
    of: (id: string): Named => ({ id, name: nameOf(id) || (rows.get(id)?.email ?? '') }),
    ofStaff: (id: string): Named => ({ id, name: nameOf(id) || operator.name }),
  }
}

/**
 * Returns accounts by name and primary address, which is empty if it is not proven. The names are meant for the people whom these
 * accounts let act for them.
 */
export async function namedAccounts(
  db: App['db'],
  ids: readonly string[],
): Promise<(Named & { email: string })[]> {
  const rows = await queries.namesOf(db, ids)
  return ids.map((id) => {
    const row = rows.get(id)
    const email = row?.email ?? ''
    return { id, name: (row && withoutLinks(fullName(row))) || email, email }
  })
}

/** Accounts whose name, company or proven address contains the text typed by a member of staff. */
export async function findPeople(db: App['db'], typed: string, limit: number): Promise<string[]> {
  const text = typed.trim()
  const { rarest } = await countNamesWith(db, text)
  const { rows } = await peopleLike({ text, rarest }, limit).execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Accounts whose street contains the text typed by a member of staff, each with it. */
export async function accountsInStreet(
  db: App['db'],
  typed: string,
  limit: number,
): Promise<{ user_id: string; text: string }[]> {
  return (await streetsWith({ text: typed.trim() }, limit).execute(db)).rows
}

/** First names by account; accounts without one are left out. */
export async function firstNamesOf(db: App['db'], ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries.namesOf(db, ids)
  return new Map([...rows].flatMap(([id, { name }]) => (name === '' ? [] : [[id, name]])))
}

/** The first name of a user, '' if none is known. */
export async function firstNameOf(db: App['db'], user_id: string): Promise<string> {
  return (await queries.profileOf(db, user_id))?.name ?? ''
}
