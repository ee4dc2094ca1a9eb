import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { DisabledReason } from '#features/webhooks/rules.ts'
import type { Lane } from './due-lane-queries.ts'
import type { EndpointRow } from './queries.ts'

type Db = App['db']

type Of = Pick<Lane, 'endpoint_id' | 'lane' | 'lease'>

/** The endpoint of a lane while the lease holds and the endpoint is enabled, and the seconds that are left of the lease. */
export async function endpointOfLane(
  db: Db,
  { endpoint_id, lane, lease }: Of,
): Promise<(EndpointRow & { left_s: number }) | undefined> {
  const { rows } = await sql<EndpointRow & { left_s: number }>`
    select e.*, extract(epoch from l.leased_until - now())::float8 as left_s
    from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id and e.state = 'enabled'
    where l.endpoint_id = ${endpoint_id}::uuid and l.lane = ${lane} and l.lease = ${lease}::uuid`.execute(db)
  return rows[0]
}

/** Renews a lease. Returns false if the lane is another's by now. */
export async function renewLease(
  tx: Tx,
  { endpoint_id, lane, lease }: Of,
  lease_s: number,
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_lanes set leased_until = now() + make_interval(secs => ${lease_s})
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane} and lease = ${lease}::uuid returning lane`.execute(
    tx,
  )
  return rows.length > 0
}

/** Moves the cursor of a lane and renews its lease. Returns false if the lease is another's by now. */
export async function moveOn(
  tx: Tx,
  { endpoint_id, lane, lease }: Of,
  seq: number,
  lease_s: number,
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_lanes set seq = ${seq}::bigint, failures = 0, first_failed_at = null,
      leased_until = now() + make_interval(secs => ${lease_s})
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane} and lease = ${lease}::uuid returning lane`.execute(
    tx,
  )
  return rows.length > 0
}

/** Lets the lane go; it is due again at once if there is more. */
export async function releaseLane(tx: Tx, { endpoint_id, lane, lease }: Of): Promise<void> {
  await sql`
    update webhook_lanes set next_at = now(), lease = null, leased_until = null
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane} and lease = ${lease}::uuid`.execute(tx)
}

export type FailedLane = { failures: number; hours: number }

/** Counts a failure of the next event. Returns undefined if the lease is another's by now. */
export async function countFailure(
  tx: Tx,
  { endpoint_id, lane, lease }: Of,
): Promise<FailedLane | undefined> {
  const { rows } = await sql<FailedLane>`
    update webhook_lanes set failures = failures + 1, first_failed_at = coalesce(first_failed_at, now())
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane} and lease = ${lease}::uuid
    returning failures, (extract(epoch from now() - first_failed_at) / 3600)::float8 as hours`.execute(tx)
  return rows[0]
}

/** Lets the lane go until its next attempt. */
export async function putOff(tx: Tx, { endpoint_id, lane, lease }: Of, pause_s: number): Promise<void> {
  await sql`
    update webhook_lanes set next_at = now() + make_interval(secs => ${pause_s}), lease = null, leased_until = null
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane} and lease = ${lease}::uuid`.execute(tx)
}

/** Lets the lane go on behind an event that failed too often. */
export async function skip(tx: Tx, { endpoint_id, lane }: Of, seq: number): Promise<void> {
  await sql`
    update webhook_lanes set seq = ${seq}::bigint, failures = 0, first_failed_at = null, next_at = now()
    where endpoint_id = ${endpoint_id}::uuid and lane = ${lane}`.execute(tx)
}

/** Notes that an event gave way to those behind it; the last hundred are kept. */
export async function noteSkipped(tx: Tx, endpoint_id: string, seq: number): Promise<void> {
  await sql`
    update webhook_endpoints set skipped = (array_remove(skipped, ${seq}::bigint) || ${seq}::bigint)[greatest(cardinality(skipped) - 98, 1):]
    where id = ${endpoint_id}::uuid`.execute(tx)
}

/** Notes that a skipped event has arrived after all. */
export async function forgetSkipped(tx: Tx, endpoint_id: string, seq: number): Promise<void> {
  await sql`
    update webhook_endpoints set skipped = array_remove(skipped, ${seq}::bigint)
    where id = ${endpoint_id}::uuid and ${seq}::bigint = any (skipped)`.execute(tx)
}

/** Notes that events were gone before they were delivered. */
export async function noteMissed(tx: Tx, endpoint_id: string): Promise<void> {
  await sql`update webhook_endpoints set missed_at = now() where id = ${endpoint_id}::uuid`.execute(tx)
}

/** Returns true, once for each time of failing, if nothing has succeeded for so many hours. */
export async function takeWarning(tx: Tx, endpoint_id: string, hours: number): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set warned_at = now()
    where id = ${endpoint_id}::uuid and warned_at is null and failing_since <= now() - make_interval(hours => ${hours})
    returning id`.execute(tx)
  return rows.length > 0
}

/** Disables an endpoint that is enabled; with `hours` only if nothing has succeeded for so long. */
export async function disable(
  tx: Tx,
  endpoint_id: string,
  why: DisabledReason,
  hours?: number,
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set state = 'disabled', disabled_why = ${why}
    where id = ${endpoint_id}::uuid and state = 'enabled'
      and (${hours ?? null}::int is null or failing_since <= now() - make_interval(hours => ${hours ?? 0}))
    returning id`.execute(tx)
  return rows.length > 0
}
