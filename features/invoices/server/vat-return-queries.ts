import { sql } from 'kysely'
import { startOfDay } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import type { VatKind } from '#features/invoices/rules.ts'

/** The sums of documents that are declared together, in minor units; credit notes are subtracted. */
export type VatSum = {
  vat_kind: VatKind
  country: string
  vat_rate_bp: bigint
  /** The VAT id of the buyer, with reverse charge; '' otherwise. */
  vat_id: string
  /** For credit notes and reissued invoices, the quarter of the sales that they correct, if it is an earlier one; else null. */
  corrected_quarter: string | null
  documents: number
  net: bigint
  vat: bigint
}

/**
 * Returns the sums of the documents issued from `first_day` to the day before `next_day` in the operator's time zone, grouped as a VAT
 * return asks for them. `is_over` is true if these days have ended.
 */
export async function vatSums(
  db: App['db'],
  span: { first_day: string; next_day: string; time_zone: string; currency: string },
): Promise<{ rows: VatSum[]; is_over: boolean }> {
  const { first_day, next_day, time_zone, currency } = span
  const until = startOfDay(next_day, time_zone)
  const { rows } = await sql<VatSum>`
    with documents as (
      select i.vat_kind, i.vat_country as country, i.vat_rate_bp,
        case when i.vat_kind = 'reverse_charge' then coalesce(s.buyer ->> 'vat_id', '') else '' end as vat_id,
        case when f.issued_at < ${startOfDay(first_day, time_zone)}
          then to_char(f.issued_at at time zone ${time_zone}, 'YYYY-"Q"Q') end as corrected_quarter,
        case i.kind when 'invoice' then i.net else -i.net end as net,
        case i.kind when 'invoice' then i.vat else -i.vat end as vat
      from invoices i left join invoices o on o.id = i.credit_note_of
        left join invoices f on (i.version > 1 or o.id is not null) and f.transaction_id = coalesce(o.transaction_id, i.transaction_id)
          and f.kind = 'invoice' and f.version = 1
        left join invoice_snapshots s on s.invoice_id = i.id and i.vat_kind = 'reverse_charge'
      where i.currency = ${currency} and i.issued_at < ${until}
        and i.issued_at >= ${startOfDay(first_day, time_zone)})
    select vat_kind, country, vat_rate_bp, vat_id, corrected_quarter, count(*)::int as documents,
      sum(net)::bigint as net, sum(vat)::bigint as vat
    from documents group by 1, 2, 3, 4, 5
    order by corrected_quarter nulls first, array_position(array['oss', 'standard', 'reverse_charge', 'outside_eu', 'small_business'], vat_kind),
      country, vat_rate_bp, vat_id`.execute(db)
  const time = await sql<{ is_over: boolean }>`select now() >= ${until} as is_over`.execute(db)
  return { rows, is_over: must(time.rows[0]).is_over }
}
