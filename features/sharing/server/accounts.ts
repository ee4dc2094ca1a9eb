import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { namedAccounts } from '#features/profile/server/profile.ts'
import { listAccounts, type HelpedAccount } from '#features/sharing/contract.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/sharing/accounts/`. One person helps 500 accounts at most, so they are sorted and searched here. */
export const accounts = handler(listAccounts, async ({ app, actor: { user_id }, query }) => {
  const { q = '', limit, cursor } = query
  const [name = '', id = ''] = placeIn(cursor, [placeKinds.text, placeKinds.uuid]) ?? []
  const grants = await queries.grantsTo(app.db, user_id, [])
  const roles = new Map(grants.map(({ owner_id, role }) => [owner_id, role]))
  const known = await namedAccounts(app, app.db, [...roles.keys()])
  const rows = known
    .map((account) => ({ ...account, role: roles.get(account.id) ?? 'technical' }))
    .filter((account) => holds(account, q.toLowerCase()))
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
    .filter((account) => cursor === undefined || compare(placeOf(account), [name, id]) > 0)
  return { status: 200, body: pageFrom(rows, limit, placeOf, (account) => account) }
})

const holds = ({ name, email }: HelpedAccount, q: string): boolean =>
  name.toLowerCase().includes(q) || email.includes(q)

/** By the beginning of the name, which fits into a cursor. */
const placeOf = ({ name, id }: HelpedAccount) => [[...name.toLowerCase()].slice(0, 60).join(''), id] as const

const compare = (one: readonly string[], other: readonly string[]): number => {
  const [a, b] = [one.join('\n'), other.join('\n')]
  return a < b ? -1 : Number(a > b)
}
