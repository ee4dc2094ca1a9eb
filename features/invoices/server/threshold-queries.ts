import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { startOfDay } from '#foundation/server/database/times.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The sales to consumers elsewhere in the EU of a year and the year before, net, in minor units. */
export type SalesElsewhere = {
  before: bigint
  present: bigint
  /** True if a sale of this year was taxed elsewhere already: a refund does not bring the seller back below the threshold. */
  has_passed: boolean
}

type Span = { year: number; currency: string; time_zone: string }

const startOf = (year: number, time_zone: string) => startOfDay(`${year}-01-01`, time_zone)

/** Returns the sales to consumers elsewhere in the EU, of a year and the year before; credit notes are subtracted. */
export async function salesElsewhere(
  db: App['db'],
  { year, until, currency, time_zone }: Span & { until: Date | undefined },
): Promise<SalesElsewhere> {
  const begun = sql`issued_at >= ${startOf(year, time_zone)}`
  const { rows } = await sql<SalesElsewhere>`
    select coalesce(sum(case kind when 'invoice' then net else -net end) filter (where not ${begun}), 0)::bigint as before,
      coalesce(sum(case kind when 'invoice' then net else -net end) filter (where ${begun}), 0)::bigint as present,
      coalesce(bool_or(vat_kind = 'oss' and kind = 'invoice' and ${begun}), false) as has_passed
    from invoices
    where (vat_kind = 'oss' or below_threshold) and currency = ${currency}
      and issued_at >= ${startOf(year - 1, time_zone)} and issued_at < ${startOf(year + 1, time_zone)}
      and (${until ?? null}::timestamptz is null or issued_at < ${until ?? null}::timestamptz)`.execute(db)
  return must(rows[0])
}

/** Returns the turnover of a year in the seller's own state, net, in minor units; credit notes are subtracted. */
export async function turnoverAtHome(db: App['db'], { year, currency, time_zone }: Span): Promise<bigint> {
  const { rows } = await sql<{ net: bigint }>`
    select coalesce(sum(case kind when 'invoice' then net else -net end), 0)::bigint as net from invoices
    where vat_kind in ('standard', 'small_business') and currency = ${currency}
      and issued_at >= ${startOf(year, time_zone)} and issued_at < ${startOf(year + 1, time_zone)}`.execute(
    db,
  )
  return must(rows[0]).net
}

/** Keeps that staff were told of a limit; false if they were told of it this year before. */
export async function noteLimit(
  tx: Tx,
  told: { name: string; year: number; state: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into limit_notices (name, year, state) values (${told.name}, ${told.year}, ${told.state})
    on conflict do nothing returning name`.execute(tx)
  return rows.length > 0
}
