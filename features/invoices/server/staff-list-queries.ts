import { sql, type RawBuilder } from 'kysely'
import { byMoment, orderOf } from '#foundation/server/database/order.ts'
import { endOfDay, startOfDay } from '#foundation/server/database/times.ts'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { InvoiceKind, VatKind } from '#features/invoices/rules.ts'
import { summaryColumns, type SummaryRow } from './queries.ts'

type Db = App['db']

/** A filter for the documents of all customers; `from` and `to` are days in the operator's time zone, both included. */
type Wanted = {
  number?: string | undefined
  user_ids?: readonly string[] | undefined
  kind?: InvoiceKind | undefined
  from?: string | undefined
  to?: string | undefined
  country?: string | undefined
  vat_kind?: VatKind | undefined
}

export type ListedInvoice = SummaryRow & {
  user_id: string
  vat_kind: VatKind
  vat_country: string
  vat_rate_bp: bigint
  /** The company, or else the person, as the document names them. */
  buyer: string
  /** The place of the document in the order of the list. */
  place: string
}

/** Returns documents of all customers, by the time of their issue or by their signed sum, that come after `after` if given. Documents past their retention period are hidden. */
export async function listInvoices(
  db: Db,
  wanted: Wanted,
  {
    after,
    limit,
    time_zone,
    sort,
  }: {
    after: { place: string; id: string } | undefined
    limit: number
    time_zone: string
    sort: ByTimeOrAmount
  },
): Promise<ListedInvoice[]> {
  const order = orderOf(sort, { time: byMoment(sql`i.issued_at`), amount: signedTotal, id: sql`i.id` })
  const conditions = conditionsOf(wanted, time_zone)
  if (after) conditions.push(order.isAfter(after.place, sql`${after.id}::bigint`))
  const { rows } = await sql<ListedInvoice>`
    select ${summaryColumns}, i.user_id, i.vat_kind, i.vat_country, i.vat_rate_bp,
      coalesce(nullif(s.buyer ->> 'company', ''), s.buyer ->> 'name', '') as buyer,
      ${order.place} as place
    from (select * from invoices i where ${sql.join(conditions, sql` and `)}
      order by ${order.by} limit ${limit}) i
    left join invoice_snapshots s on s.invoice_id = i.id
    order by ${order.by}`.execute(db)
  return rows
}

/** The sum of a document as the list shows it: credit notes are negative. The index invoices_by_signed_total has the same expression. */
const signedTotal = sql`(case i.kind when 'credit_note' then -i.total else i.total end)`

type InvoiceTotals = { count: number; net: bigint; vat: bigint; total: bigint }

/** Returns the sums of these documents in one currency, in minor units; credit notes are subtracted. */
export async function invoiceTotals(
  db: Db,
  wanted: Wanted,
  { time_zone, currency }: { time_zone: string; currency: string },
): Promise<InvoiceTotals> {
  const conditions = [...conditionsOf(wanted, time_zone), sql`i.currency = ${currency}`]
  const { rows } = await sql<InvoiceTotals>`
    select count(*)::int as count,
      coalesce(sum(case i.kind when 'invoice' then i.net else -i.net end), 0)::bigint as net,
      coalesce(sum(case i.kind when 'invoice' then i.vat else -i.vat end), 0)::bigint as vat,
      coalesce(sum(case i.kind when 'invoice' then i.total else -i.total end), 0)::bigint as total
    from invoices i where ${sql.join(conditions, sql` and `)}`.execute(db)
  return must(rows[0])
}

function conditionsOf(wanted: Wanted, time_zone: string): RawBuilder<unknown>[] {
  const { number, user_ids, kind, from, to, country, vat_kind } = wanted
  return [
    sql`(i.keep_until >= current_date or is_on_hold(i.issued_at, i.issued_at))`,
    ...(number === undefined ? [] : [sql`i.number = ${number}`]),
    ...(user_ids === undefined ? [] : [sql`i.user_id = any(${[...user_ids]}::uuid[])`]),
    // The kind is a literal in the SQL, so that PostgreSQL can use the partial index of the few credit notes.
    ...(kind === undefined
      ? []
      : [kind === 'invoice' ? sql`i.kind = 'invoice'` : sql`i.kind = 'credit_note'`]),
    ...(from === undefined ? [] : [sql`i.issued_at >= ${startOfDay(from, time_zone)}`]),
    ...(to === undefined ? [] : [sql`i.issued_at < ${endOfDay(to, time_zone)}`]),
    ...(country === undefined ? [] : [sql`i.vat_country = ${country}`]),
    ...(vat_kind === undefined ? [] : [sql`i.vat_kind = ${vat_kind}`]),
  ]
}

/** Returns the user id of the customer of a document within its retention period. */
export async function ownerOfInvoice(db: Db, public_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    select i.user_id from invoices i join invoice_snapshots s on s.invoice_id = i.id
    where i.public_id = ${public_id}`.execute(db)
  return rows[0]?.user_id
}

type ChainedInvoice = {
  public_id: string
  number: string
  kind: InvoiceKind
  cancels: boolean
  issued_at: Date
  currency: string
  total: bigint
}

/** Returns all documents of the sale of this document, oldest first: the invoices and their credit notes. */
export async function chainOf(db: Db, public_id: string): Promise<ChainedInvoice[]> {
  const { rows } = await sql<ChainedInvoice>`
    with sale as (
      select coalesce(o.transaction_id, i.transaction_id) as transaction_id
      from invoices i left join invoices o on o.id = i.credit_note_of where i.public_id = ${public_id}),
    bills as (
      select i.* from invoices i join sale using (transaction_id) where i.kind = 'invoice')
    select c.public_id, c.number, c.kind, coalesce(c.total + c.gift = o.total + o.gift, false) as cancels, c.issued_at, c.currency, c.total from (
      select * from bills union all
      select i.* from invoices i where i.credit_note_of in (select id from bills)) as c left join bills o on o.id = c.credit_note_of
    order by c.issued_at, c.id`.execute(db)
  return rows
}
