import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

type HostIds = { id: bigint; user_id: string; public_id: string }

/** The first servers of an account. */
export async function firstHostsOf(tx: Tx, user_id: string): Promise<HostIds[]> {
  const { rows } = await sql<HostIds>`
    select id, user_id, public_id from hosts where user_id = ${user_id}::uuid and deleted_at is null
    order by created_at, id limit 4`.execute(tx)
  return rows
}

/** Spreads the attempts of all webhooks over the last day, as if they had happened one after the other. */
export async function backdateWebhooks(tx: Tx): Promise<void> {
  await sql`
    update webhook_attempts a set at = now() - interval '3 hours' * (e.attempts - a.number) - interval '11 minutes',
      took_ms = 40 + (a.number * 37 % 90)::int
    from webhook_endpoints e where e.id = a.endpoint_id`.execute(tx)
  await sql`
    update webhook_endpoints set created_at = now() - interval '40 days', last_ok_at = last_ok_at - interval '11 minutes'`.execute(
    tx,
  )
}

/** Removes the webhooks that lead to the receiver of the demo. */
export async function deleteDemoWebhooks(tx: Tx): Promise<void> {
  await sql`delete from webhook_endpoints where user_id is null and url like '%/dev/webhooks/%'`.execute(tx)
}
