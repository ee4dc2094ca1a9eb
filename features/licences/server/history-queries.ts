import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Order, OrderedPeriod } from './queries.ts'

export type HistoryRow = Omit<OrderedPeriod, 'anchor_day'> &
  Pick<Order, 'kind' | 'plan_name' | 'currency' | 'ordered_at'> & {
    /** Null for a period that a former owner of the host bought. */
    total: bigint | null
    /** Null for a trial, and for a period that another account or a former owner of the host paid. */
    invoice_id: string | null
  }

/** Returns the paid periods of one host of a customer, or of all, the newest first. `after` is the last period of the page before. */
export async function historyOf(
  db: App['db'],
  { user_id, host_id }: { user_id: string; host_id?: bigint | undefined },
  { after, limit }: { after: { starts_at: string; id: string } | undefined; limit: number },
): Promise<HistoryRow[]> {
  const behind = after
    ? sql`and (p.starts_at, p.id) < (${after.starts_at}::timestamptz, ${after.id}::bigint)`
    : sql``
  const { rows } = await sql<HistoryRow>`
    select p.id, p.order_id, p.starts_at, p.ends_at, p.ended, o.term, o.kind, o.plan_name, o.currency, o.ordered_at,
      case when o.user_id = p.user_id then o.total end as total, case when o.user_id = p.user_id and o.payer_id is null then o.invoice_id end as invoice_id
    from paid_periods p join licence_orders o on o.id = p.order_id
    where p.user_id = ${user_id} ${host_id === undefined ? sql`` : sql`and p.host_id = ${host_id}`} ${behind}
    order by p.starts_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}
