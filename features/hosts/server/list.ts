import type { App } from '#foundation/server/app.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/hosts/contract.ts'
import { listHosts, type Direction, type Sort } from './list-queries.ts'
import type { ShownHost } from './queries.ts'
import type { Acting, Held } from '#foundation/server/acting.ts'
import { hostReply, hostReplyTo } from './reply.ts'

/** One page of the customer's hosts. A cursor holds the order of its list, so that it cannot be used in a list of another order. */
export const list = handler(contract.listHosts, async ({ app, actor, query, caller }) => {
  const shared =
    query.for === 'all' && !caller.view ? await app.grantsHeld?.(app, actor, contract.seeHosts) : []
  return { status: 200, body: await pageOfHosts(app.db, actor.user_id, query, app.acting, shared) }
})

export async function pageOfHosts(
  db: App['db'],
  user_id: string,
  query: Call<typeof contract.listHosts>['query'],
  acting?: Acting,
  shared: readonly Held[] = [],
) {
  const { cursor, limit, sort, direction = naturally[sort], for: _account, ...filters } = query
  const after = afterOf(cursor, sort, direction)
  const rows = await listHosts(db, {
    user_id,
    ...filters,
    sort,
    direction,
    after,
    limit,
    grant_id: acting?.grant_id,
    also: shared.map(({ account, grant_id, all_hosts }) => ({ owner_id: account.id, grant_id, all_hosts })),
  })
  const heldFor = new Map(shared.map((held) => [held.account.id, held]))
  return pageFrom(
    rows,
    limit,
    (row) => [sort, direction, keyOf(sort, row), row.id.toString()],
    (row) => hostReplyTo(acting ?? heldFor.get(row.user_id))(row),
  )
}

/** The hosts that a customer added last, for a caller with access to all of them. At most `limit`. */
export async function newestHosts(db: App['db'], user_id: string, limit: number): Promise<contract.Host[]> {
  const rows = await listHosts(db, { user_id, sort: 'created_at', direction: 'desc', limit: limit - 1 })
  return rows.map(hostReply)
}

const naturally: Record<Sort, Direction> = { name: 'asc', created_at: 'desc', paid_until: 'asc' }

function afterOf(cursor: string | undefined, sort: Sort, direction: Direction) {
  const { text, time, number } = placeKinds
  // The key of a host that was never paid is the empty text.
  const isKey = { name: text, created_at: time, paid_until: (part: string) => part === '' || time(part) }[
    sort
  ]
  const place = placeIn(cursor, [(part) => part === sort, (part) => part === direction, isKey, number])
  if (!place) return undefined
  const [, , key = '', id = ''] = place
  return { key: sort === 'paid_until' && key === '' ? null : key, id }
}

const keyOf = (sort: Sort, row: ShownHost): string =>
  sort === 'name' ? row.name : (row[sort]?.toISOString() ?? '')
