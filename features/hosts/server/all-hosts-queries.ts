import { sql, type RawBuilder } from 'kysely'
import { ENDS_SOON_DAYS, type HostTrouble } from '#features/hosts/rules.ts'
import { addressMismatch, hostColumns, isConnected, silence, type Db, type ShownHost } from './queries.ts'

export type AnyHosts = {
  /** `ends_soon` lists the hosts by the end of their paid time, everything else the newest hosts first. */
  trouble?: HostTrouble | undefined
  /** Statements for the ids of accounts, and of hosts, to which the list is limited: their tables belong to other features. */
  owners?: RawBuilder<unknown> | undefined
  among?: readonly RawBuilder<unknown>[]
}

type Page = { after?: { key: string; id: string } | undefined; limit: number }

/** Returns a page of the hosts of all customers, for staff. The page is found first, and only its hosts are read whole. */
export async function listAnyHosts(db: Db, wanted: AnyHosts, { after, limit }: Page): Promise<ShownHost[]> {
  const byEnd = wanted.trouble === 'ends_soon'
  const order = byEnd ? sql`order by h.paid_until, h.id` : sql`order by h.id desc`
  const later = byEnd
    ? sql`(h.paid_until, h.id) > (${after?.key ?? null}::timestamptz, ${after?.id ?? null}::bigint)`
    : sql`h.id < ${after?.id ?? null}::bigint`
  const { rows } = await sql<ShownHost>`
    with page as materialized (
      select h.* from ${anyHosts(wanted)} and ${after ? later : sql`true`} ${order} limit ${limit})
    select ${hostColumns} from page h left join host_agents a on a.host_id = h.id ${order}`.execute(db)
  return rows
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
