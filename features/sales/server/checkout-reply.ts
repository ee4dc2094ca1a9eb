import { paymentOf } from '#features/finance/server/finance.ts'
import type { Checkout } from '#features/sales/checkouts.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { CheckoutParams, CheckoutRow } from './checkout-queries.ts'

/** A checkout as its contract shows it. One whose time is over shows as expired before the job has ended it. */
export async function checkoutReply(app: App, db: App['db'], row: CheckoutRow): Promise<Checkout> {
  const { public_id: id, user_id, purpose, params, total, currency, state, is_over } = row
  const over = state === 'open' && is_over
  return {
    id,
    for: purpose,
    state: over ? 'expired' : state,
    total: toMoney(total, currency),
    top_up: await paymentOf(app, db, user_id, id),
    plan: params.plan_name ?? null,
    host_id: row.host,
    host_name: params.host_name ?? '',
    ...(params.bulk && { bulk: { act: params.bulk.act, servers: serversIn(params.bulk) } }),
    refusal: row.refusal,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: (over ? row.expires_at : row.ended_at)?.toISOString() ?? null,
  }
}

/** The number of servers of an order for several. */
export const serversIn = ({ host_ids, hosts }: NonNullable<CheckoutParams['bulk']>): number =>
  (host_ids ?? hosts ?? []).length
