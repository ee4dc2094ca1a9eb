import { sql } from 'kysely'
import { keptAccount } from '#features/invoices/server/invoices.ts'
import type { KeptExtra } from '#features/hosts/server/hosts.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Period, periodKinds, Term } from '#features/licences/rules.ts'
import type { OrderedPeriod } from './period-queries.ts'
import { onceNetOf } from './extra-prices.ts'
import type { Promo } from './promo-price.ts'

/** An order, as it is kept for good. Amounts in minor units of `currency`. */
export type Order = {
  id: string
  user_id: string
  host_id: bigint
  kind: (typeof periodKinds)[number]
  plan: string
  plan_name: Translated
  term: Term
  ipv4: string | null
  ipv6: string | null
  net: bigint
  vat: bigint
  total: bigint
  vat_rate_bp: bigint
  currency: string
  /** The transaction and the invoice; both null for a trial. */
  transaction_id: string | null
  invoice_id: string | null
  ordered_at: Date
  /** Another account that has paid, by an agreement; null if the owner has paid. */
  payer_id: string | null
  agreement_id: string | null
  /** The promo code that has lowered the price, with the renewals that it is left for. */
  promo?: Promo | null
  /** The extras that were sold with it; null if none were. */
  extras?: KeptExtra[] | null
}

/** The runtime that an order pays for; if an upgrade replaces a part of a term, `term_starts_at` is the beginning of the whole term. */
type Bought = Period & { term_starts_at?: Date }

/** Writes an order and its paid runtime, with the present entitlements of its edition. */
export const insertOrder = batchedRows(
  async (tx: Tx, orders: readonly (Order & { period: Bought })[]): Promise<void[]> => {
    const rows = orders.map(({ period, host_id, net, vat, total, vat_rate_bp, ...order }) => ({
      ...order,
      ...period,
      // JSON has no bigint.
      host_id: String(host_id),
      net: String(net),
      once_net: String(onceNetOf(order.extras)),
      vat: String(vat),
      total: String(total),
      vat_rate_bp: String(vat_rate_bp),
    }))
    await sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o (id uuid, user_id uuid, host_id bigint, kind text,
          plan text, plan_name jsonb, term text, ipv4 inet, ipv6 inet, net bigint, vat bigint, total bigint, vat_rate_bp bigint, currency text,
          transaction_id uuid, invoice_id text, ordered_at timestamptz, payer_id uuid, agreement_id uuid, starts_at timestamptz, ends_at timestamptz, anchor_day smallint,
          term_starts_at timestamptz, promo jsonb, extras jsonb, once_net bigint)),
      ordered as (
        insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, ipv6, net, vat, total, vat_rate_bp, currency,
          transaction_id, invoice_id, ordered_at, payer_id, agreement_id, promo, extras)
        select id, user_id, host_id, kind, plan, plan_name, term, ipv4, ipv6, net, vat, total, vat_rate_bp, currency, transaction_id,
          invoice_id, ordered_at, payer_id, agreement_id, promo, extras from given)
      insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, once_net, payer_id,
        invoice_id, transaction_id, term_starts_at, entitlements)
      select g.user_id, g.host_id, g.id, g.starts_at, g.ends_at, g.anchor_day, g.plan, l.edition, g.term, g.net - g.once_net, g.once_net,
        case when g.transaction_id is not null then coalesce(g.payer_id, g.user_id) end, g.invoice_id, g.transaction_id, coalesce(g.term_starts_at, g.starts_at), coalesce((
          select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = l.edition), '{}')
      from given g join plans l on l.slug = g.plan`.execute(tx)
    return []
  },
)

export type OrderOfPayment = {
  id: string
  host_id: bigint
  /** The owner of the host at the time of the order, or the account into which that one was merged since. */
  owner_id: string
  plan_name: Translated
  kind: string
  term: Term
  total: bigint
  /** The price of the order before VAT, and the extras that it was for. */
  ordered_net: bigint
  extras: KeptExtra[] | null
  /** The value of its period with what is not for time, before VAT; and the part of it that is not for time. */
  net: bigint
  once_net: bigint
  /** The end of its paid time; null if the time is over, or was ended. */
  ends_at: Date | null
}

/**
 * Returns the orders that a transaction paid, in the order of the lines of its invoice. It does not compare their owner, so the caller must
 * know that the transaction is the right customer's.
 */
export async function ordersPaidBy(db: App['db'], transaction_id: string): Promise<OrderOfPayment[]> {
  const { rows } = await sql<OrderOfPayment>`
    select o.id, o.host_id, ${keptAccount(sql`o.user_id`)} as owner_id, o.plan_name, o.kind, o.term, o.total, o.net as ordered_net, o.extras,
      p.net + p.once_net as net, p.once_net,
      case when p.ends_at > greatest(p.starts_at, now()) then p.ends_at end as ends_at
    from licence_orders o join paid_periods p on p.order_id = o.id
    where o.transaction_id = ${transaction_id} order by o.host_id`.execute(db)
  return rows
}

export type PaidOrder = Pick<
  Order,
  'id' | 'user_id' | 'plan_name' | 'net' | 'total' | 'extras' | 'currency' | 'transaction_id' | 'ordered_at'
> &
  Pick<OrderedPeriod, 'starts_at' | 'ends_at' | 'ended'>

/** An order that the owner of a host has made, maybe by an account that was merged into theirs, with the runtime that it paid for. */
export async function orderedPeriod(
  tx: Tx,
  { id: host_id, user_id }: { id: bigint; user_id: string },
  order_id: string,
): Promise<PaidOrder | undefined> {
  const { rows } = await sql<PaidOrder>`
    select o.id, o.user_id, o.plan_name, o.net, o.total, o.extras, o.currency, o.transaction_id, o.ordered_at, p.starts_at, p.ends_at, p.ended
    from licence_orders o join paid_periods p on p.order_id = o.id
    where o.host_id = ${host_id} and ${keptAccount(sql`o.user_id`)} = ${user_id}::uuid and o.id = ${order_id}`.execute(
    tx,
  )
  return rows[0]
}

export type HistoryRow = Omit<OrderedPeriod, 'anchor_day'> &
  Pick<Order, 'kind' | 'plan_name' | 'currency' | 'ordered_at'> & {
    /** Null for a period that a former owner of the host bought. */
    total: bigint | null
    /** Null for a trial, and for a period that another account or a former owner of the host paid. */
    invoice_id: string | null
  }

/** True of an order `o` that the owner of the paid period `p` has made, maybe by an account that was merged into theirs. */
const isOwn = sql`${keptAccount(sql`o.user_id`)} = p.user_id`

/** Returns the paid periods of one host of a customer, or of all, the newest first. `after` is the last period of the page before. */
export async function historyOf(
  db: App['db'],
  { user_id, host_id }: { user_id: string; host_id?: bigint | undefined },
  { after, limit }: { after: { starts_at: string; id: string } | undefined; limit: number },
): Promise<HistoryRow[]> {
  const behind =
    after && sql`and (p.starts_at, p.id) < (${after.starts_at}::timestamptz, ${after.id}::bigint)`
  const { rows } = await sql<HistoryRow>`
    select p.id, p.order_id, p.starts_at, p.ends_at, p.ended, o.term, o.kind, o.plan_name, o.currency, o.ordered_at,
      case when ${isOwn} then o.total end as total, case when ${isOwn} and o.payer_id is null then o.invoice_id end as invoice_id
    from paid_periods p join licence_orders o on o.id = p.order_id
    where p.user_id = ${user_id} ${host_id === undefined ? sql`` : sql`and p.host_id = ${host_id}`} ${behind ?? sql``}
    order by p.starts_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}
