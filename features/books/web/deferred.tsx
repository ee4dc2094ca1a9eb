import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadDeferred, getDeferred } from '#features/books/contract.ts'
import { monthAfter } from '#features/books/rules.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { m } from '#texts/messages.js'
import { heightOf, moneyWriters, monthText, shortMonth } from './figure-texts.ts'
import { ReportCard } from './report-card.tsx'

/** The net of what was sold for time after the end of each month, and the documents behind the last month that is over. */
export function Deferred() {
  const query = useQuery(queryFor(getDeferred, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const plot = useMemo(
    () =>
      data && data.rows.length > 0
        ? {
            look: 'bars' as const,
            names: data.rows.map(({ month }) => shortMonth(month)),
            series: [
              {
                name: m.books_deferred({}, { locale }),
                color: '--accent' as const,
                values: data.rows.map(({ deferred }) => heightOf(deferred)),
              },
            ],
            ...moneyWriters(data.rows[0]?.deferred.currency ?? '', locale),
          }
        : undefined,
    [data, locale],
  )
  const month = data ? monthAfter(data.last_month, -1) : ''
  return (
    <ReportCard
      title={m.books_deferred()}
      description={m.books_deferred_text()}
      name="deferred"
      unit={m.books_month_end()}
      query={query}
      plot={plot}
      currency={data?.rows[0]?.deferred.currency}
      actions={
        plot ? (
          <DownloadButton
            text={m.books_deferred_by_document({ month: monthText(month) })}
            fetching={() => download(downloadDeferred, { query: { month } }, `deferred-${month}.csv`)}
          />
        ) : null
      }
      table={{
        head: [m.books_month_end(), m.books_documents(), m.books_deferred()],
        rows: (data?.rows ?? []).map((row) => [
          { shown: monthText(row.month), written: row.month },
          row.documents,
          row.deferred,
        ]),
      }}
    />
  )
}
