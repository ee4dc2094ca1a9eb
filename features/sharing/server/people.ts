import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { listPeople, type ActingPerson } from '#features/sharing/contract.ts'
import { peopleOf } from './way-queries.ts'

/**
 * Answers `GET /api/sharing/people/`. An owner gives 50 grants at most, each of which is passed on to 50 people at most, so they are sorted
 * here.
 */
export const people = handler(listPeople, async ({ app, actor: { user_id }, query: { limit, cursor } }) => {
  const after = placeIn(cursor, [placeKinds.text, placeKinds.uuid, placeKinds.uuid])
  const ways = await peopleOf(app.db, user_id)
  const names = await displayNames(
    app,
    app.db,
    ways.flatMap(({ person, passed_by }) => [person, passed_by]),
  )
  const rows = ways
    .map(({ person, passed_by, grant_id, role, all_hosts }) => ({
      account: names.of(person),
      grant_id,
      role,
      all_hosts,
      through: passed_by === null ? null : names.of(passed_by),
    }))
    .map((row) => ({ row, place: placeOf(row) }))
    .toSorted((one, other) => compare(one.place, other.place))
    .filter(({ place }) => after === undefined || compare(place, after) > 0)
  return {
    status: 200,
    body: pageFrom(
      rows,
      limit,
      ({ place }) => place,
      ({ row }) => row,
    ),
  }
})

type Row = Pick<ActingPerson, 'account' | 'through'>

/** Returns the place of a person in the list: the beginning of the name, which fits into a cursor, and the account through which it acts. */
const placeOf = ({ account, through }: Row) =>
  [[...account.name.toLowerCase()].slice(0, 60).join(''), account.id, through?.id ?? account.id] as const

const compare = (one: readonly string[], other: readonly string[]): number => {
  const [a, b] = [one.join('\n'), other.join('\n')]
  return a < b ? -1 : Number(a > b)
}
