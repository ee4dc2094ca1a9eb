import { sql } from 'kysely'
import { withinDays } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'
import type { PlaceEvidence } from './place-evidence.ts'
import { serviceDays, type InvoiceKind, type VatKind } from '#features/invoices/rules.ts'

/** The days from `first_day` to the day before `next_day`, in the operator's time zone. */
type Days = { first_day: string; next_day: string; time_zone: string }

/** An invoice or credit note as the books list it. Amounts are in minor units and positive, also on credit notes. */
export type DocumentRow = {
  id: bigint
  public_id: string
  user_id: string
  number: string
  kind: InvoiceKind
  issued_at: Date
  /** 2026-11-23, in the operator's time zone. */
  day: string
  currency: string
  net: bigint
  vat: bigint
  total: bigint
  /** The gift that has lowered the document, gross: it is not in the total. */
  gift: bigint
  vat_kind: VatKind
  vat_country: string
  vat_rate_bp: bigint
  /** The company, or else the person; '' after the retention period, when the buyer is removed. */
  buyer: string
  buyer_vat_id: string
  /** The evidence of the buyer's place, on a credit note that of its invoice; null once it was erased. */
  place_evidence: PlaceEvidence | null
  /** The number of the invoice that a credit note corrects; null for invoices. */
  corrects: string | null
  /** True for a credit note over the whole of its invoice. */
  cancels: boolean
  transaction_id: string
  /** The paid time, from its first to its last day in the operator's time zone; of a credit note that of its invoice. Null without lines of time. */
  service: { first_day: string; last_day: string } | null
  /** The time of issue to the microsecond, for the order of the documents. */
  place: string
}

/** Returns all customers' documents of these days, oldest first, that come after `after`. */
export async function documentsAfter(
  db: App['db'],
  days: Days & { currency: string },
  { after, limit }: { after: Pick<DocumentRow, 'place' | 'id'> | undefined; limit: number },
): Promise<DocumentRow[]> {
  const { rows } = await sql<Omit<DocumentRow, 'service'> & { starts_at: Date | null; ends_at: Date | null }>`
    select i.id, i.public_id, i.user_id, i.number, i.kind, i.issued_at,
      to_char(i.issued_at at time zone ${days.time_zone}, 'YYYY-MM-DD') as day, i.currency, i.net, i.vat, i.total, i.gift, i.vat_kind,
      i.vat_country, i.vat_rate_bp, coalesce(nullif(s.buyer ->> 'company', ''), s.buyer ->> 'name', '') as buyer,
      coalesce(s.buyer ->> 'vat_id', '') as buyer_vat_id, coalesce(s.evidence -> 'place', f.evidence -> 'place') as place_evidence, o.number as corrects,
      coalesce(i.total + i.gift = o.total + o.gift, false) as cancels, i.transaction_id, i.issued_at::text as place, l.starts_at, l.ends_at
    from invoices i left join invoice_snapshots s on s.invoice_id = i.id left join invoices o on o.id = i.credit_note_of
      left join invoice_snapshots f on f.invoice_id = o.id, lateral (
        select min(starts_at) as starts_at, max(ends_at) as ends_at from invoice_lines where invoice_id in (i.id, i.credit_note_of)) l
    where i.currency = ${days.currency} and ${withinDays(sql`i.issued_at`, days)}
      and (i.issued_at, i.id) > (${after?.place ?? '-infinity'}::timestamptz, ${String(after?.id ?? 0n)}::bigint)
    order by i.issued_at, i.id limit ${limit}`.execute(db)
  return rows.map(({ starts_at, ends_at, ...row }) => ({
    ...row,
    service: starts_at && ends_at ? serviceDays({ starts_at, ends_at }, days.time_zone) : null,
  }))
}

/** The first and last document number in a year; `missing` counts the numbers between them that have no document. */
export type NumberRange = { first: string; last: string; missing: bigint }

export async function numbersIn(db: App['db'], days: Days): Promise<NumberRange[]> {
  const { rows } = await sql<NumberRange>`
    with ends as (
      select i.year, min(i.place) as first, max(i.place) as last from invoices i where ${withinDays(sql`i.issued_at`, days)} group by i.year)
    select f.number as first, l.number as last, e.last - e.first + 1 - (
      select count(*) from invoices i where i.year = e.year and i.place between e.first and e.last) as missing
    from ends e join invoices f on f.year = e.year and f.place = e.first join invoices l on l.year = e.year and l.place = e.last
    order by e.year`.execute(db)
  return rows
}

type StoredDocument = { invoice_id: bigint; format: 'pdf' | 'xrechnung'; content: Buffer }

/** Returns the newest version of each stored document of these invoices. */
export async function storedDocuments(
  db: App['db'],
  invoice_ids: readonly bigint[],
): Promise<StoredDocument[]> {
  const { rows } = await sql<StoredDocument>`
    select distinct on (invoice_id, format) invoice_id, format, content from invoice_documents
    where invoice_id = any(${invoice_ids.map(String)}::bigint[]) order by invoice_id, format, version desc`.execute(
    db,
  )
  return rows
}
