import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { MOST_AT_ONCE, MOST_OF_OPERATOR_AT_ONCE } from '#features/webhooks/rules.ts'

/** A lane that a worker has taken. */
export type Lane = { endpoint_id: string; lane: number; lease: string; seq: bigint }

export async function isAnyDue(db: App['db']): Promise<boolean> {
  const { rows } = await sql`select from due_webhook_lanes limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Takes lanes that have something to deliver, those of one account up to its share: the attack is an account with slow programs, which would
 * hold all places. The lease ends by itself, so that a worker that dies holds up nothing for long.
 */
export async function takeLanes(
  tx: Tx,
  { lease, most, lease_s }: { lease: string; most: number; lease_s: number },
): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    update webhook_lanes t set lease = ${lease}::uuid, leased_until = now() + make_interval(secs => ${lease_s})
    from (
      select l.endpoint_id, l.lane from webhook_lanes l
      where (l.endpoint_id, l.lane) in (
        select endpoint_id, lane from (
          select d.*, e.user_id, row_number() over (partition by e.user_id order by d.next_at) + (
            select count(*) from webhook_endpoints o join webhook_lanes r on r.endpoint_id = o.id
            where o.user_id is not distinct from e.user_id and r.leased_until > now()) as place
          from due_webhook_lanes d join webhook_endpoints e on e.id = d.endpoint_id) due
        where place <= case when user_id is null then ${MOST_OF_OPERATOR_AT_ONCE}::int else ${MOST_AT_ONCE}::int end
        order by next_at limit ${most * 2})
        and l.next_at <= now() and coalesce(l.leased_until <= now(), true)
      order by l.next_at limit ${most} for update skip locked) due
    where t.endpoint_id = due.endpoint_id and t.lane = due.lane
    returning t.endpoint_id, t.lane, t.lease, t.seq`.execute(tx)
  return rows
}
