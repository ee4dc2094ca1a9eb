import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import { batched, batchedRows } from '#foundation/server/database/batched.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Locale } from '#foundation/locale.ts'
import type { Buyer, LineDescription, Note, Reduction, Seller } from '#features/invoices/shapes.ts'
import type { InvoiceKind, VatKind } from '#features/invoices/rules.ts'
import { mayRead } from './reader-queries.ts'
import type { PlaceEvidence } from './place-evidence.ts'

type Db = Kysely<Database>

export const databaseTime = async (db: Db): Promise<Date> => must(await times(db, 'now'))

const times = batched(async (db: Db, keys: readonly string[]) => {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return new Map(keys.map((key) => [key, must(rows[0]).now]))
})

export type Line = {
  description: LineDescription
  quantity: bigint
  cost: bigint
  /** The amount that is taken off, and why: `price` is without it. */
  allowance: bigint
  reduction: Reduction | null
  price: bigint
  starts_at: Date | null
  ends_at: Date | null
}

export type NewInvoice = {
  public_id: string
  user_id: string
  kind: InvoiceKind
  credit_note_of: bigint | null
  transaction_id: string
  /** 1 for a sale's first invoice and for a refund's credit note; each reissue has the next number, as has the credit note beside it. */
  version: number
  host_id: string | null
  /** Null for the present time; another time is for demo data only. */
  issued_at: Date | null
  locale: Locale
  currency: string
  net: bigint
  vat: bigint
  total: bigint
  /** The gift that has lowered the document (gross), and the part of it that lowers the net of the lines. */
  gift: bigint
  allowance: bigint
  vat_kind: VatKind
  vat_country: string
  vat_rate_bp: bigint
  below_threshold: boolean
  seller: Seller
  buyer: Buyer
  notes: readonly Note[]
  buyer_reference: string
  order_reference: string
  evidence: object
  lines: readonly Line[]
}

export type IssuedInvoice = Omit<NewInvoice, 'issued_at'> & { id: bigint; number: string; issued_at: Date }

/**
 * Takes the next number of the year in the seller's time zone, and writes the whole invoice: one statement,
 * so that the counter's row is locked for one round trip and the commit. Other invoices wait that long for
 * their numbers. The invoices of one transaction are numbered in their order, by one statement as well.
 */
export const insertInvoice = batchedRows(
  async (
    tx: Tx,
    invoices: readonly (NewInvoice & { time_zone: string; prefix: string; kept_years: number })[],
  ): Promise<IssuedInvoice[]> => {
    const { rows } = await sql<Pick<IssuedInvoice, 'id' | 'public_id' | 'number' | 'issued_at'>>`
      with given as (
        select row_number() over () as nth, coalesce(issued_at, now()) as at, i.*
        from jsonb_to_recordset(${asJson(invoices)}::jsonb) as i (public_id text, user_id uuid, kind text, credit_note_of bigint,
          transaction_id uuid, version smallint, host_id text, issued_at timestamptz, locale text, currency text, net bigint, vat bigint, total bigint, gift bigint, allowance bigint,
          vat_kind text, vat_country text, vat_rate_bp bigint, below_threshold boolean, seller jsonb, buyer jsonb, notes jsonb, buyer_reference text,
          order_reference text, evidence jsonb, lines jsonb, time_zone text, prefix text, kept_years integer)),
      moment as (
        select *, extract(year from at at time zone time_zone)::smallint as year from given),
      numbered as (
        select *, row_number() over (partition by year order by nth) - count(*) over (partition by year) as behind from moment),
      counter as (
        insert into invoice_counters as c (year, last_number) select year, count(*) from moment group by year order by year
        on conflict (year) do update set last_number = c.last_number + excluded.last_number
        returning year, last_number),
      placed as (
        select *, last_number + behind as place from numbered join counter using (year)),
      issued as (
        insert into invoices (public_id, user_id, year, place, number, kind, credit_note_of, transaction_id, version, host_id,
          issued_at, locale, currency, net, vat, total, gift, allowance, vat_kind, vat_country, vat_rate_bp, below_threshold, keep_until)
        select public_id, user_id, year, place,
          concat_ws('-', prefix, year, lpad(place::text, greatest(6, length(place::text)), '0')),
          kind, credit_note_of, transaction_id, version, host_id, at, locale, currency, net, vat, total, gift, allowance, vat_kind, vat_country, vat_rate_bp,
          below_threshold,
          make_date(year + kept_years, 12, 31)
        from placed order by nth returning id, public_id, number, issued_at),
      snapshot as (
        insert into invoice_snapshots (invoice_id, user_id, seller, buyer, notes, buyer_reference, order_reference, evidence)
        select i.id, user_id, seller, buyer, notes, buyer_reference, order_reference, evidence
        from issued i join given using (public_id)),
      lines as (
        insert into invoice_lines (invoice_id, place, user_id, description, quantity, cost, allowance, reduction, price, starts_at, ends_at)
        select i.id, line.place, user_id, description, quantity, cost, line.allowance, reduction, price, starts_at, ends_at
        from issued i join given using (public_id), jsonb_to_recordset(lines)
          as line (place smallint, description jsonb, quantity bigint, cost bigint, allowance bigint, reduction jsonb, price bigint,
            starts_at timestamptz, ends_at timestamptz))
      select id, public_id, number, issued_at from issued`.execute(tx)
    const issued = new Map(rows.map((row) => [row.public_id, row]))
    return invoices.map((invoice) => ({ ...invoice, ...must(issued.get(invoice.public_id)) }))
  },
)

/** Returns the invoices as JSON, with the place of each line. JSON has no bigint, so such numbers are written as texts. */
const asJson = (invoices: readonly NewInvoice[]): string =>
  JSON.stringify(
    invoices.map((invoice) => ({
      ...invoice,
      lines: invoice.lines.map((line, index) => ({ ...line, place: index + 1 })),
    })),
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  )

export type SummaryRow = {
  id: bigint
  public_id: string
  number: string
  kind: InvoiceKind
  cancels: boolean
  status: 'paid' | 'void'
  issued_at: Date
  currency: string
  net: bigint
  vat: bigint
  total: bigint
  gift: bigint
  allowance: bigint
}

export const summaryColumns = sql<SummaryRow>`i.id, i.public_id, i.number, i.kind, i.issued_at, i.currency, i.net, i.vat, i.total, i.gift, i.allowance,
  coalesce(i.total + i.gift = (select whole.total + whole.gift from invoices whole where whole.id = i.credit_note_of), false) as cancels,
  case when (select sum(c.total + c.gift) from invoices c where c.credit_note_of = i.id) = i.total + i.gift then 'void' else 'paid' end
    as status`

/** Returns the user id of the customer of an invoice or credit note. */
export async function ownerOfNumber(db: Db, number: string): Promise<string | undefined> {
  const { rows } = await sql<{
    user_id: string
  }>`select user_id from invoices where number = ${number}`.execute(db)
  return rows[0]?.user_id
}

/** Returns the customers of the documents with this place in the numbers of a year, or of all years, each with the number of the document. */
export async function ownersOfPlace(
  db: Db,
  place: number,
  year: number | null = null,
): Promise<{ user_id: string; text: string }[]> {
  const { rows } = await sql<{ user_id: string; text: string }>`
    select i.user_id, i.number as text from invoice_counters c join invoices i on i.year = c.year and i.place = ${place}
    where c.year = coalesce(${year}::smallint, c.year)`.execute(db)
  return rows
}

export type InvoiceRow = SummaryRow & {
  user_id: string
  transaction_id: string
  version: number
  host_id: string | null
  locale: Locale
  vat_kind: VatKind
  vat_country: string
  vat_rate_bp: bigint
  below_threshold: boolean
  seller: Seller
  buyer: Buyer
  notes: readonly Note[]
  evidence: { place?: PlaceEvidence }
  buyer_reference: string
  order_reference: string
  original_id: string | null
  original_number: string | null
  original_issued_at: Date | null
  /** The invoice that this invoice, a reissue, has replaced. */
  replaced_id: string | null
  replaced_number: string | null
  replaced_issued_at: Date | null
  /** The reissue that has replaced this invoice. */
  successor_id: string | null
  successor_number: string | null
}

// The columns that a customer may see, and the columns that are needed to find and show these.
const wholeInvoice = sql<InvoiceRow>`${summaryColumns}, i.user_id, i.transaction_id, i.version, i.host_id, i.locale, i.vat_kind, i.vat_country,
  i.vat_rate_bp, i.below_threshold, s.evidence, s.seller, s.buyer, s.notes, s.buyer_reference, s.order_reference, o.public_id as original_id, o.number as original_number,
  o.issued_at as original_issued_at, b.public_id as replaced_id, b.number as replaced_number, b.issued_at as replaced_issued_at,
  n.public_id as successor_id, n.number as successor_number
  from invoices i join invoice_snapshots s on s.invoice_id = i.id left join invoices o on o.id = i.credit_note_of
    left join invoices b on i.kind = 'invoice' and b.transaction_id = i.transaction_id and b.kind = 'invoice' and b.version = i.version - 1
    left join invoices n on i.kind = 'invoice' and n.transaction_id = i.transaction_id and n.kind = 'invoice' and n.version = i.version + 1`

/** The invoice of this customer, or of an account that was merged into theirs; undefined if there is none. */
export async function invoiceOf(db: Db, user_id: string, public_id: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${wholeInvoice} where i.public_id = ${public_id} and ${mayRead(user_id)}`.execute(db)
  return rows[0]
}

/** Returns the invoice or credit note with this number, of any customer; for the operator's commands. */
export async function invoiceByNumber(db: Db, number: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select ${wholeInvoice} where i.number = ${number}`.execute(db)
  return rows[0]
}

/** Returns the public id of a sale's first invoice, which names the lock of all changes to its invoices; undefined if there is none. */
export async function firstInvoiceOf(
  db: Db,
  user_id: string,
  transaction_id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from invoices
    where transaction_id = ${transaction_id}::uuid and kind = 'invoice' and version = 1 and user_id = ${user_id}`.execute(
    db,
  )
  return rows[0]?.public_id
}

/** Returns the newest invoice (no credit note) that a transaction paid; undefined if it paid none. */
export async function invoicePaidBy(
  db: Db,
  user_id: string,
  transaction_id: string,
): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${wholeInvoice} where i.transaction_id = ${transaction_id}::uuid and i.user_id = ${user_id}
      and i.kind = 'invoice' order by i.version desc limit 1`.execute(db)
  return rows[0]
}

/** Returns the credit note that was issued together with a reissued invoice and cancels the invoice before. */
export async function creditNoteBeside(
  db: Db,
  {
    kind,
    transaction_id,
    version,
    user_id,
  }: Pick<InvoiceRow, 'kind' | 'transaction_id' | 'version' | 'user_id'>,
): Promise<InvoiceRow | undefined> {
  if (kind !== 'invoice' || version === 1) return undefined
  const { rows } = await sql<InvoiceRow>`
    select ${wholeInvoice} where i.transaction_id = ${transaction_id}::uuid and i.user_id = ${user_id}
      and i.kind = 'credit_note' and i.version = ${version}`.execute(db)
  return rows[0]
}

export async function linesOf(db: Db, invoice_id: bigint): Promise<Line[]> {
  return db
    .selectFrom('invoice_lines')
    .select(['description', 'quantity', 'cost', 'allowance', 'reduction', 'price', 'starts_at', 'ends_at'])
    .where('invoice_id', '=', invoice_id)
    .orderBy('place')
    .$narrowType<{ description: LineDescription; reduction: Reduction | null }>()
    .execute()
}

export type CreditRow = Pick<
  SummaryRow,
  'public_id' | 'number' | 'net' | 'vat' | 'total' | 'gift' | 'allowance'
>

/** Credit notes of an invoice, oldest first. */
export async function creditNotesOf(db: Db, invoice_id: bigint): Promise<CreditRow[]> {
  return db
    .selectFrom('invoices')
    .select(['public_id', 'number', 'net', 'vat', 'total', 'gift', 'allowance'])
    .where('credit_note_of', '=', invoice_id)
    .orderBy('id')
    .execute()
}
