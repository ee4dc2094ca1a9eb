import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { batched, batchedRows } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Period, periodEnds, periodKinds, Term } from '#features/licences/rules.ts'

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
      vat: String(vat),
      total: String(total),
      vat_rate_bp: String(vat_rate_bp),
    }))
    await sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o (id uuid, user_id uuid, host_id bigint, kind text,
          plan text, plan_name jsonb, term text, ipv4 inet, ipv6 inet, net bigint, vat bigint, total bigint, vat_rate_bp bigint, currency text,
          transaction_id uuid, invoice_id text, ordered_at timestamptz, payer_id uuid, agreement_id uuid, starts_at timestamptz, ends_at timestamptz, anchor_day smallint,
          term_starts_at timestamptz)),
      ordered as (
        insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, ipv6, net, vat, total, vat_rate_bp, currency,
          transaction_id, invoice_id, ordered_at, payer_id, agreement_id)
        select id, user_id, host_id, kind, plan, plan_name, term, ipv4, ipv6, net, vat, total, vat_rate_bp, currency, transaction_id,
          invoice_id, ordered_at, payer_id, agreement_id from given)
      insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
        invoice_id, transaction_id, term_starts_at, entitlements)
      select g.user_id, g.host_id, g.id, g.starts_at, g.ends_at, g.anchor_day, g.plan, l.edition, g.term, g.net,
        case when g.kind <> 'trial' then coalesce(g.payer_id, g.user_id) end, g.invoice_id, g.transaction_id, coalesce(g.term_starts_at, g.starts_at), coalesce((
          select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = l.edition), '{}')
      from given g join plans l on l.slug = g.plan`.execute(tx)
    return []
  },
)

export type OrderedPeriod = Period & {
  id: bigint
  order_id: string
  term: Term
  ended: (typeof periodEnds)[number] | null
}

/** Lowers the value of an order's period by a refund (`net`: before VAT, in minor units). */
export async function lowerValue(tx: Tx, order_id: string, net: bigint): Promise<void> {
  await sql`update paid_periods set net = net - ${net}::bigint where order_id = ${order_id}`.execute(tx)
}

/**
 * Returns the last paid period of a host, if any, and the time by the database's clock, in whole milliseconds like
 * all times in these tables. Periods that were cut to nothing do not count.
 */
export const runtimeOf = async (
  db: App['db'],
  host_id: bigint,
): Promise<{ now: Date; last: Period | undefined }> => must(await runtimes(db, host_id))

const runtimes = batched(async (db: App['db'], host_ids: readonly bigint[]) => {
  const { rows } = await sql<{ host_id: bigint; now: Date } & (Period | { starts_at: null })>`
    select host_id, date_trunc('milliseconds', clock_timestamp()) as now, p.starts_at, p.ends_at, p.anchor_day
    from unnest(${host_ids.map(String)}::bigint[]) as wanted (host_id) left join lateral (
      select starts_at, ends_at, anchor_day from paid_periods
      where host_id = wanted.host_id and ends_at > starts_at order by ends_at desc limit 1) p on true`.execute(
    db,
  )
  return new Map(
    rows.map(({ host_id, now, ...row }) => [
      host_id,
      { now, last: row.starts_at === null ? undefined : row },
    ]),
  )
})

/** The runtime of a host that is not over at `now`, in order, with the terms it was ordered with. */
export async function periodsAhead(tx: Tx, host_id: bigint, now: Date): Promise<OrderedPeriod[]> {
  return tx
    .selectFrom('paid_periods as p')
    .innerJoin('licence_orders as o', 'o.id', 'p.order_id')
    .select(['p.id', 'p.order_id', 'p.starts_at', 'p.ends_at', 'p.anchor_day', 'p.ended', 'o.term'])
    .where('p.host_id', '=', host_id)
    .where('p.ends_at', '>', now)
    .whereRef('p.ends_at', '>', 'p.starts_at')
    .orderBy('p.starts_at')
    .execute()
}

/** Moves periods in one statement, because the constraint against overlaps is checked at the end of a statement. */
export async function writePeriods(tx: Tx, periods: readonly OrderedPeriod[]): Promise<void> {
  await sql`
    update paid_periods as p set starts_at = w.starts_at, ends_at = w.ends_at,
      -- A period that stays in place keeps the beginning of its term, which is earlier after an upgrade.
      term_starts_at = case when p.starts_at = w.starts_at then p.term_starts_at else w.starts_at end,
      anchor_day = w.anchor_day, ended = w.ended
    from unnest(${periods.map(({ id }) => String(id))}::bigint[], ${periods.map((period) => period.starts_at)}::timestamptz[],
      ${periods.map((period) => period.ends_at)}::timestamptz[], ${periods.map((period) => period.anchor_day)}::smallint[],
      ${periods.map((period) => period.ended)}::text[]) as w (id, starts_at, ends_at, anchor_day, ended)
    where p.id = w.id`.execute(tx)
}

export type OrderOfPayment = {
  id: string
  host_id: bigint
  /** The owner of the host at the time of the order. */
  owner_id: string
  plan_name: Translated
  total: bigint
  /** The value of its period, before VAT. */
  net: bigint
  /** The end of its paid time; null if the time is over, or was ended. */
  ends_at: Date | null
}

/**
 * Returns the orders that a transaction paid, in the order of the lines of its invoice. It does not compare their owner, so the caller must
 * know that the transaction is the right customer's.
 */
export async function ordersPaidBy(db: App['db'], transaction_id: string): Promise<OrderOfPayment[]> {
  const { rows } = await sql<OrderOfPayment>`
    select o.id, o.host_id, o.user_id as owner_id, o.plan_name, o.total, p.net,
      case when p.ends_at > greatest(p.starts_at, now()) then p.ends_at end as ends_at
    from licence_orders o join paid_periods p on p.order_id = o.id
    where o.transaction_id = ${transaction_id} order by o.host_id`.execute(db)
  return rows
}

export type PaidOrder = Pick<
  Order,
  'id' | 'plan_name' | 'total' | 'currency' | 'transaction_id' | 'ordered_at'
> &
  Pick<OrderedPeriod, 'starts_at' | 'ends_at' | 'ended'>

/** An order that the owner of a host has made, with the runtime that it paid for. */
export async function orderedPeriod(
  tx: Tx,
  { id: host_id, user_id }: { id: bigint; user_id: string },
  order_id: string,
): Promise<PaidOrder | undefined> {
  const { rows } = await sql<PaidOrder>`
    select o.id, o.plan_name, o.total, o.currency, o.transaction_id, o.ordered_at, p.starts_at, p.ends_at, p.ended
    from licence_orders o join paid_periods p on p.order_id = o.id
    where o.host_id = ${host_id} and o.user_id = ${user_id}::uuid and o.id = ${order_id}`.execute(tx)
  return rows[0]
}
