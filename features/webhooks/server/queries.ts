import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { DisabledReason, EndpointState } from '#features/webhooks/rules.ts'

type Db = App['db']

/** The owner of an endpoint: the id of an account, or null for the operator. */
export type Owner = string | null

export type EndpointRow = {
  id: string
  user_id: Owner
  url: string
  description: string
  types: string[]
  host_ids: string[]
  state: EndpointState
  disabled_why: DisabledReason | null
  secret_sealed: string
  old_secret_sealed: string | null
  old_secret_until: Date | null
  created_at: Date
  last_ok_at: Date | null
  failing_since: Date | null
  skipped: bigint[]
  version: number
  missed_at: Date | null
}

/** With the next attempt of what failed, the cursor that is farthest back, and the figures of the last attempts. */
export type ShownEndpoint = EndpointRow & {
  next_at: Date | null
  seq: bigint
  succeeded: number
  failed: number
}

const columns = sql`e.id, e.user_id, e.url, e.description, e.types, e.host_ids, e.state, e.disabled_why, e.secret_sealed,
  e.old_secret_sealed, e.old_secret_until, e.created_at, e.last_ok_at, e.failing_since, e.skipped, e.missed_at, e.version`

const shown = sql`
  select ${columns}, l.next_at, l.seq, a.succeeded, a.failed
  from webhook_endpoints e
  cross join lateral (select min(next_at) filter (where failures > 0) as next_at, min(seq) as seq
    from webhook_lanes where endpoint_id = e.id) l
  cross join lateral (select (count(*) filter (where status between 200 and 299))::int as succeeded,
    (count(*) filter (where status is null or status not between 200 and 299))::int as failed
    from webhook_attempts where endpoint_id = e.id) a`

const ofOwner = (owner: Owner): RawBuilder<unknown> => sql`e.user_id is not distinct from ${owner}::uuid`

export async function endpointsOf(db: Db, owner: Owner): Promise<ShownEndpoint[]> {
  const { rows } = await sql<ShownEndpoint>`
    ${shown} where ${ofOwner(owner)} order by e.created_at, e.id`.execute(db)
  return rows
}

export async function findEndpoint(db: Db, owner: Owner, id: string): Promise<ShownEndpoint | undefined> {
  const { rows } = await sql<ShownEndpoint>`${shown} where e.id = ${id}::uuid and ${ofOwner(owner)}`.execute(
    db,
  )
  return rows[0]
}

export async function hasEndpoints(db: Db, owner: Owner): Promise<boolean> {
  const { rows } = await sql`select from webhook_endpoints e where ${ofOwner(owner)} limit 1`.execute(db)
  return rows.length > 0
}

export async function hasDisabled(db: Db, owner: Owner): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_endpoints e where ${ofOwner(owner)} and e.state = 'disabled' limit 1`.execute(db)
  return rows.length > 0
}

/** Locks an endpoint until the transaction ends. */
export async function lockEndpoint(tx: Tx, owner: Owner, id: string): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${columns} from webhook_endpoints e where e.id = ${id}::uuid and ${ofOwner(owner)} for update`.execute(
    tx,
  )
  return rows[0]
}

export type NewEndpoint = Pick<
  EndpointRow,
  'id' | 'user_id' | 'url' | 'description' | 'types' | 'host_ids' | 'secret_sealed'
>

export async function insertEndpoint(tx: Tx, made: NewEndpoint): Promise<void> {
  const { id, user_id, url, description, types, host_ids, secret_sealed } = made
  await sql`
    insert into webhook_endpoints (id, user_id, url, description, types, host_ids, secret_sealed)
    values (${id}::uuid, ${user_id}::uuid, ${url}, ${description}, ${arrayOf(types, 'text')}, ${arrayOf(host_ids, 'text')},
      ${secret_sealed})`.execute(tx)
}

/** Makes the lanes of an endpoint, each at the same number. */
export async function insertLanes(
  tx: Tx,
  { id, user_id, lanes, seq }: Pick<EndpointRow, 'id' | 'user_id'> & { lanes: number; seq: number },
): Promise<void> {
  await sql`
    insert into webhook_lanes (endpoint_id, lane, user_id, seq)
    select ${id}::uuid, lane, ${user_id}::uuid, ${seq}::bigint from generate_series(0, ${lanes - 1}::int) lane`.execute(
    tx,
  )
}

export type Changes = {
  [Name in 'url' | 'description' | 'types' | 'host_ids']?: EndpointRow[Name] | undefined
}

export async function changeEndpoint(
  tx: Tx,
  id: string,
  { url, description, types, host_ids }: Changes,
): Promise<void> {
  await sql`
    update webhook_endpoints set url = coalesce(${url ?? null}, url), description = coalesce(${description ?? null}, description),
      types = coalesce(${types ?? null}::text[], types), host_ids = coalesce(${host_ids ?? null}::text[], host_ids),
      version = version + 1
    where id = ${id}::uuid`.execute(tx)
}

export async function pauseEndpoint(tx: Tx, id: string): Promise<void> {
  await sql`update webhook_endpoints set state = 'paused', disabled_why = null where id = ${id}::uuid`.execute(
    tx,
  )
}

/** Enables an endpoint: what failed is due at once, and counts as new. */
export async function enableEndpoint(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoints set state = 'enabled', disabled_why = null, failing_since = null, warned_at = null
    where id = ${id}::uuid`.execute(tx)
  await sql`
    update webhook_lanes set failures = 0, first_failed_at = null, next_at = now(), lease = null, leased_until = null
    where endpoint_id = ${id}::uuid`.execute(tx)
}

/**
 * Makes what failed due at once, and count as new: its owner has mended the address. An attempt that is on its way to the former one changes
 * nothing any more.
 */
export async function retryNow(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_lanes set failures = 0, first_failed_at = null, next_at = now(), lease = null, leased_until = null
    where endpoint_id = ${id}::uuid and failures > 0`.execute(tx)
}

export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await sql`delete from webhook_endpoints where id = ${id}::uuid`.execute(tx)
}

export async function deleteEndpointsOf(tx: Tx, user_id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from webhook_endpoints where user_id = ${user_id}::uuid returning id`.execute(tx)
  return rows.length > 0
}

/** Moves the cursor back to a number, and takes the lease away: what is on its way is sent again in its turn. */
export async function moveBack(tx: Tx, id: string, seq: number): Promise<void> {
  await sql`
    update webhook_lanes set seq = least(seq, ${seq}::bigint), failures = 0, first_failed_at = null, next_at = now(),
      lease = null, leased_until = null
    where endpoint_id = ${id}::uuid`.execute(tx)
}

type Secrets = Pick<EndpointRow, 'id' | 'secret_sealed' | 'old_secret_sealed'>

/** Gives an endpoint a secret; the former one signs too for some hours. */
export async function setSecret(tx: Tx, secrets: Secrets, hours: number): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    update webhook_endpoints set secret_sealed = ${secrets.secret_sealed}, old_secret_sealed = ${secrets.old_secret_sealed},
      old_secret_until = now() + make_interval(hours => ${hours})
    where id = ${secrets.id}::uuid returning old_secret_until as until`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`no endpoint ${secrets.id}`)
  return row.until
}

/** Endpoints with a secret that another key than `boxId` sealed; their rows are locked. */
export async function sealedByOtherKeys(tx: Tx, boxId: string, limit: number): Promise<Secrets[]> {
  const { rows } = await sql<Secrets>`
    select id, secret_sealed, old_secret_sealed from webhook_endpoints
    where secret_sealed not like ${`${boxId}.%`} or old_secret_sealed not like ${`${boxId}.%`}
    limit ${limit} for update`.execute(tx)
  return rows
}

export async function reseal(tx: Tx, { id, secret_sealed, old_secret_sealed }: Secrets): Promise<void> {
  await sql`
    update webhook_endpoints set secret_sealed = ${secret_sealed}, old_secret_sealed = ${old_secret_sealed}
    where id = ${id}::uuid`.execute(tx)
}

/** The owner of an endpoint, by its id alone. */
export async function ownerOfEndpoint(db: Db, id: string): Promise<{ user_id: Owner } | undefined> {
  const { rows } = await sql<{ user_id: Owner }>`
    select user_id from webhook_endpoints where id = ${id}::uuid`.execute(db)
  return rows[0]
}
