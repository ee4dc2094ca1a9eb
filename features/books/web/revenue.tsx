import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getRevenue } from '#features/books/contract.ts'
import { monthAfter, monthsFrom } from '#features/books/rules.ts'
import { kindText } from '#features/books/texts.ts'
import { vatKinds, type VatKind } from '#features/invoices/rules.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { heightOf, moneyWriters, monthText, shortMonth } from './figure-texts.ts'
import type { PlotSeries } from '#foundation/web/ui/plot-options.ts'
import { ReportCard } from './report-card.tsx'

/** The sales by month and kind of VAT. */
export function Revenue() {
  const query = useQuery(queryFor(getRevenue, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const plot = useMemo(() => {
    if (!data || data.rows.length === 0) return undefined
    const { first_month, last_month, rows } = data
    const months = monthsBetween(first_month, last_month)
    const currency = rows[0]?.net.currency ?? ''
    const valueOf = (month: string, kind: string) =>
      heightOf(rows.find((row) => row.month === month && row.vat_kind === kind)?.net)
    return {
      look: 'bars' as const,
      names: months.map((month) => shortMonth(month)),
      // Few sellers are small businesses: the others see no kind that they never have.
      series: vatKinds.filter(isShownIn(rows)).map((kind, index) => ({
        name: kindText(kind, locale),
        color: COLORS[index] ?? '--muted',
        values: months.map((month) => valueOf(month, kind)),
      })),
      ...moneyWriters(currency, locale),
    }
  }, [data, locale])
  return (
    <ReportCard
      title={m.books_revenue()}
      description={m.books_revenue_text()}
      name="revenue"
      unit={m.books_month()}
      query={query}
      plot={plot}
      currency={data?.rows[0]?.net.currency}
      table={{
        head: [m.books_month(), m.books_kind(), m.books_documents(), m.books_net(), m.books_vat()],
        rows: (data?.rows ?? []).map(({ month, vat_kind, documents, net, vat }) => [
          { shown: monthText(month), written: month },
          kindText(vat_kind),
          documents,
          net,
          vat,
        ]),
      }}
    />
  )
}

const isShownIn = (rows: readonly { vat_kind: VatKind }[]) => (kind: VatKind) =>
  kind !== 'small_business' || rows.some(({ vat_kind }) => vat_kind === kind)

const COLORS = [
  '--accent',
  '--success',
  '--warning',
  '--muted',
  '--danger',
] as const satisfies PlotSeries['color'][]

const monthsBetween = (first: string, last: string): string[] =>
  Array.from({ length: monthsFrom(first, last) }, (_, place) => monthAfter(first, place))
