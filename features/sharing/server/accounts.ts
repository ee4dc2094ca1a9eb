import { must } from '#foundation/must.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { displayNames, namedAccounts } from '#features/profile/server/profile.ts'
import { listAccounts, type HelpedAccount } from '#features/sharing/contract.ts'
import { waysFor } from './way-queries.ts'
import { finds } from '#foundation/search-text.ts'

/** Answers `GET /api/sharing/accounts/`. One person helps 500 accounts at most, so they are sorted and searched here. */
export const accounts = handler(listAccounts, async ({ app, actor: { user_id }, query }) => {
  const { q = '', limit, cursor, id: owner_id = null } = query
  const [name = '', id = ''] = placeIn(cursor, [placeKinds.text, placeKinds.uuid]) ?? []
  const ways = await waysFor(app.db, user_id, { owner_id, host_id: null, is_ticket: false })
  const byOwner = new Map(ways.toReversed().map((way) => [way.owner_id, way]))
  const known = await namedAccounts(app.db, [...byOwner.keys()])
  const names = await displayNames(
    app,
    app.db,
    ways.map(({ passed_by }) => passed_by),
  )
  const rows = known
    .map((account): HelpedAccount => {
      const { role, passed_by } = must(byOwner.get(account.id))
      return { ...account, role, through: passed_by === null ? null : names.of(passed_by) }
    })
    .filter((account) => finds(q, `${account.name} ${account.email}`))
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
    .filter((account) => cursor === undefined || compare(placeOf(account), [name, id]) > 0)
  return { status: 200, body: pageFrom(rows, limit, placeOf, (account) => account) }
})

/** Returns the place of an account in the list: the beginning of its name, which fits into a cursor, and its id. */
const placeOf = ({ name, id }: HelpedAccount) => [[...name.toLowerCase()].slice(0, 60).join(''), id] as const

const compare = (one: readonly string[], other: readonly string[]): number => {
  const [a, b] = [one.join('\n'), other.join('\n')]
  return a < b ? -1 : Number(a > b)
}
