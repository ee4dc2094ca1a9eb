import { must } from '#foundation/must.ts'
import type { Model, Period, Sale } from './model.ts'
import type { World } from './world.ts'

/** A period of the host in the tables of the product; times in milliseconds. */
export type Row = {
  id: number
  transaction_id: string | null
  kind: Period['kind']
  plan: string
  edition: string
  term: string
  starts: number
  ends: number
  term_starts: number
  anchor: number
  ended: Period['ended']
  value: string
  bought: Period['bought']
  ordered: number
  paid_by: string | null
  /** The sums of the invoices less their credit notes, and the present VAT rate. */
  left: Record<'net' | 'vat' | 'total' | 'rate_bp', string | null>
}

export type Snapshot = {
  rows: Row[]
  balances: Record<string, string>
  /** The sum of all invoices less all credit notes of both accounts. */
  documents: string
  /** The number of transactions whose entries do not sum to zero. */
  unequal: number
  auto_renew: boolean
  paid_until: number | null
  choice: string | null
  suspended: boolean
  /** The money that agreements have paid in this month. */
  spent: Record<string, string>
  watch: {
    ends: number
    is_trial: boolean
    done_days: number | null
    refusal: string | null
    announced: string | null
    plan_changes: number | null
    next: number | null
  } | null
  /** True if one of the jobs is due and not done yet. */
  is_due: boolean
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const statement = `
  with mine as (select unnest($2::uuid[]) as id),
    docs as (select transaction_id, sum(case kind when 'invoice' then net else -net end) as net,
        sum(case kind when 'invoice' then vat else -vat end) as vat, sum(case kind when 'invoice' then total else -total end) as total,
        (array_agg(vat_rate_bp order by version desc) filter (where kind = 'invoice'))[1] as rate_bp
      from (select coalesce(t.reverses, i.transaction_id) as transaction_id, i.kind, i.net, i.vat, i.total, i.version, i.vat_rate_bp
        from invoices i join transactions t on t.id = i.transaction_id where i.user_id in (select id from mine)) as each group by 1)
  select (select coalesce(json_agg(json_build_object('id', p.id, 'transaction_id', o.transaction_id, 'kind', o.kind, 'plan', p.plan, 'edition', p.edition,
        'term', p.term, 'starts', ${ms('p.starts_at')}, 'ends', ${ms('p.ends_at')}, 'term_starts', ${ms('p.term_starts_at')}, 'anchor', p.anchor_day,
        'ended', p.ended, 'value', p.net::text, 'bought', p.entitlements, 'ordered', ${ms('o.ordered_at')}, 'paid_by', p.payer_id,
        'left', json_build_object('net', d.net::text, 'vat', d.vat::text, 'total', d.total::text, 'rate_bp', d.rate_bp::text)) order by p.id), '[]')
      from paid_periods p join licence_orders o on o.id = p.order_id left join docs d on d.transaction_id = o.transaction_id
      where p.host_id = h.id) as rows,
    (select json_object_agg(user_id, balance::text) from balances where user_id in (select id from mine)) as balances,
    (select coalesce(sum(net), 0)::text from docs) as documents,
    (select count(*)::int from (select from entries e join transactions t on t.id = e.transaction_id where t.user_id in (select id from mine)
      group by e.transaction_id having sum(e.amount) <> 0) as wrong) as unequal,
    h.auto_renew, ${ms('h.paid_until')} as paid_until,
    (select renewal_plan from licence_settings where host_id = h.id) as choice,
    exists (select from suspensions where host_id = h.id and lifted_at is null) as suspended,
    (select coalesce(json_object_agg(a.id, spent_by_agreement(a.id)::text), '{}') from payment_agreements a where a.owner_id in (select id from mine)) as spent,
    (select json_build_object('ends', ${ms('w.ends_at')}, 'is_trial', exists (select from trials t
        where t.host_id = w.host_id and t.ends_at = w.ends_at), 'done_days', w.done_days, 'refusal', w.refusal, 'announced', w.announced_net::text,
      'plan_changes', ${ms('w.plan_changes_at')}, 'next', ${ms('w.next_at')}) from licence_watches w where w.host_id = h.id) as watch,
    exists (select from jobs where key = any($3) and run_at <= clock_timestamp()) as is_due
  from hosts h where h.id = $1`

export async function snapshot(
  { owner }: World,
  { host_id, accounts, jobs }: { host_id: string; accounts: readonly string[]; jobs: readonly string[] },
): Promise<Snapshot> {
  const { rows } = await owner.query<Snapshot>({
    name: 'snapshot',
    text: statement,
    values: [host_id, accounts, jobs],
  })
  return must(rows[0])
}

const TERM: Record<number, string> = { 1: 'P1M', 3: 'P3M', 12: 'P1Y' }

/** Returns the snapshot that the model expects; its periods stand in the order of purchase. */
export function expected(
  model: Model,
  ids: { owner: string; payer: string },
): Omit<Snapshot, 'rows' | 'is_due'> & { rows: Omit<Row, 'id' | 'ordered'>[] } {
  const rows = model.periods.map(
    ({ sale, kind, plan, edition, months, starts, ends, term_starts, anchor, ended, bought }) => ({
      transaction_id: kind === 'trial' ? null : sale.transaction_id,
      kind,
      plan,
      edition,
      term: must(TERM[months]),
      starts,
      ends,
      term_starts,
      anchor,
      ended,
      value: String(sale.left.net),
      bought,
      paid_by: kind === 'trial' ? null : ids[sale.buyer],
      left: kind === 'trial' ? nothing : leftOf(sale),
    }),
  )
  const ran = model.periods.filter(({ starts, ends }) => ends > starts)
  const { watch } = model
  return {
    rows,
    balances: { [ids.owner]: String(model.owner.balance), [ids.payer]: String(model.payer.balance) },
    documents: String(model.periods.reduce((sum, { sale }) => sum + sale.left.net, 0n)),
    unequal: 0,
    auto_renew: model.auto_renew,
    paid_until: ran.length === 0 ? null : Math.max(...ran.map(({ ends }) => ends)),
    choice: model.choice,
    suspended: model.suspended !== null,
    spent: Object.fromEntries([...model.spent].map(([id, spent]) => [id, String(max0(spent))])),
    watch: watch && { ...watch, announced: watch.announced?.toString() ?? null },
  }
}

const nothing = { net: null, vat: null, total: null, rate_bp: null }

const max0 = (value: bigint): bigint => (value > 0n ? value : 0n)

const leftOf = ({ left, rate_bp }: Sale): Row['left'] => ({
  net: String(left.net),
  vat: String(left.vat),
  total: String(left.total),
  rate_bp: String(rate_bp),
})
