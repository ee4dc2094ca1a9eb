import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getChurn } from '#features/books/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { monthText, shareText, shortMonth } from './figure-texts.ts'
import { ReportCard } from './report-card.tsx'

/** The report of the share of running licences that ended, by month. */
export function Churn() {
  const query = useQuery(queryFor(getChurn, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const plot = useMemo(() => {
    const rows = data?.rows ?? []
    if (rows.every(({ running, ended }) => running === 0 && ended === 0)) return undefined
    return {
      look: 'lines' as const,
      names: rows.map(({ month }) => shortMonth(month)),
      series: [
        {
          name: m.books_churn({}, { locale }),
          color: '--accent' as const,
          values: rows.map(({ running, ended }) => (running === 0 ? 0 : (100 * ended) / running)),
        },
      ],
      write: (percent: number) => shareText(percent, locale),
      writeTick: (percent: number) => shareText(percent, locale),
    }
  }, [data, locale])
  return (
    <ReportCard
      title={m.books_churn()}
      description={m.books_churn_text()}
      name="churn"
      unit={m.books_month()}
      query={query}
      plot={plot}
      currency={undefined}
      table={{
        head: [m.books_month(), m.books_running(), m.books_ended(), m.books_churn()],
        rows: (data?.rows ?? []).map(({ month, running, ended, is_final }) => {
          const percent = running === 0 ? undefined : (100 * ended) / running
          const text = percent === undefined ? '–' : shareText(percent)
          return [
            {
              shown: is_final ? monthText(month) : m.books_month_open({ month: monthText(month) }),
              written: month,
            },
            running,
            ended,
            { shown: text, written: percent === undefined ? '' : percent.toFixed(2) },
          ]
        }),
      }}
    />
  )
}
