import { sql, type RawBuilder } from 'kysely'
import { byMoment, inOrder, inOrderOfIds, type Order } from '#foundation/server/database/order.ts'
import { pageInParts, type PlaceInParts } from '#foundation/server/paging/in-parts.ts'
import { ENDS_SOON_DAYS, type HostTrouble } from '#features/hosts/rules.ts'
import { addressMismatch, hostColumns, isConnected, silence, type Db, type ShownHost } from './queries.ts'

export type AnyHosts = {
  trouble?: HostTrouble | undefined
  /** Statements for the ids of accounts, and of hosts, to which the list is limited: their tables belong to other features. */
  owners?: RawBuilder<unknown> | undefined
  among?: readonly RawBuilder<unknown>[]
}

/** By age, or by the end of the paid time: hosts that were never paid come last in both directions. */
type Sort = 'newest' | 'oldest' | 'ends_first' | 'ends_last'

/** A host with its place in the order of the list. */
type ListedHost = ShownHost & { place: string; part: number }

type Part = Order & { condition: RawBuilder<unknown> }

/** Returns a page of the hosts of all customers, for staff. The page is found first, and only its hosts are read whole. */
export async function listAnyHosts(
  db: Db,
  { sort, ...wanted }: AnyHosts & { sort: Sort },
  page: { after: PlaceInParts | undefined; limit: number },
): Promise<ListedHost[]> {
  return pageInParts(partsOf(sort, wanted), page, async (part, { after, limit }) => {
    const isLater = after ? part.isAfter(after.place, sql`${after.id}::bigint`) : sql`true`
    const { rows } = await sql<ShownHost & { place: string }>`
      with page as materialized (
        select h.* from ${anyHosts(wanted)} and ${part.condition} and ${isLater} order by ${part.by} limit ${limit})
      select ${hostColumns}, ${part.place} as place from page h left join host_agents a on a.host_id = h.id
      order by ${part.by}`.execute(db)
    return rows
  })
}

function partsOf(sort: Sort, { trouble }: AnyHosts): readonly Part[] {
  const id = sql`h.id`
  if (sort === 'newest' || sort === 'oldest')
    return [{ ...inOrderOfIds(id, sort === 'newest'), condition: sql`true` }]
  const paid = {
    ...inOrder(byMoment(sql`h.paid_until`), id, sort === 'ends_last'),
    condition: sql`h.paid_until is not null`,
  }
  const never = { ...inOrderOfIds(id, true), condition: sql`h.paid_until is null` }
  return trouble === 'ends_soon' ? [paid] : [paid, never]
}

/** A statement for the ids of the owners of these hosts; a part of another statement. */
export const ownersOfAny = (wanted: AnyHosts): RawBuilder<{ user_id: string }> =>
  sql`select h.user_id from ${anyHosts(wanted)}`

function anyHosts({ trouble, owners, among = [] }: AnyHosts): RawBuilder<unknown> {
  const conditions = [
    sql`h.deleted_at is null`,
    ...(trouble ? [troubles[trouble]] : []),
    ...(owners ? [sql`h.user_id in (${owners})`] : []),
    ...among.map((ids) => sql`h.id in (${ids})`),
  ]
  return sql`hosts h left join host_agents a on a.host_id = h.id where ${sql.join(conditions, sql` and `)}`
}

/** `offline` is a host whose agent has been seen once, and is silent now. */
const troubles: Readonly<Record<HostTrouble, RawBuilder<unknown>>> = {
  alert: sql`h.id in (select i.host_id from alert_incidents i where i.closed_at is null)`,
  offline: sql`a.last_seen_at <= now() - ${silence}`,
  ends_soon: sql`h.paid_until between now() and now() + make_interval(days => ${ENDS_SOON_DAYS})`,
  wrong_machine: sql`${isConnected} and ${addressMismatch}`,
}
