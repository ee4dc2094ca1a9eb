import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getLiability } from '#features/books/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { heightOf, moneyWriters, monthText, shortMonth } from './figure-texts.ts'
import { ReportCard } from './report-card.tsx'

/** The money that customers have prepaid, the part of it that was given, and the money that they owe, at the ends of months. */
export function Liability() {
  const query = useQuery(queryFor(getLiability, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const points = useMemo(
    () =>
      data
        ? [
            ...data.months.map((row) => ({ ...row, name: shortMonth(row.month) })),
            {
              owed: data.owed,
              gifts: data.gifts,
              debts: data.debts,
              name: m.books_now({}, { locale }),
              month: '',
            },
          ]
        : [],
    [data, locale],
  )
  const plot = useMemo(
    () =>
      points.length === 0
        ? undefined
        : {
            look: 'lines' as const,
            names: points.map(({ name }) => name),
            series: [
              {
                name: m.books_owed({}, { locale }),
                color: '--accent' as const,
                values: points.map(({ owed }) => heightOf(owed)),
              },
              {
                name: m.books_debts({}, { locale }),
                color: '--warning' as const,
                values: points.map(({ debts }) => heightOf(debts)),
              },
            ],
            ...moneyWriters(points[0]?.owed.currency ?? '', locale),
          },
    [points, locale],
  )
  return (
    <ReportCard
      title={m.books_liability()}
      description={m.books_liability_text()}
      name="liability"
      unit={m.books_month_end()}
      query={query}
      plot={plot}
      currency={data?.owed.currency}
      table={{
        head: [m.books_month_end(), m.books_owed(), m.books_gifts(), m.books_debts()],
        rows: points.map(({ month, owed, gifts, debts }) => [
          month === ''
            ? { shown: m.books_now(), written: data?.at ?? '' }
            : { shown: monthText(month), written: month },
          owed,
          gifts,
          debts,
        ]),
      }}
    />
  )
}
