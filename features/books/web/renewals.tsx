import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getRenewals } from '#features/books/contract.ts'
import { nextDay } from '#features/books/rules.ts'
import type { Money } from '#foundation/money.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatDay, formatShortDay } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { heightOf, moneyWriters } from './figure-texts.ts'
import { ReportCard } from './report-card.tsx'

/** The automatic renewals of the next days. */
export function Renewals() {
  const query = useQuery(queryFor(getRenewals, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const plot = useMemo(() => {
    if (!data || data.days.length === 0) return undefined
    const days = everyDay(data.days)
    return {
      look: 'bars' as const,
      names: days.map(({ day }) => formatDay(day)),
      ticks: days.map(({ day }) => formatShortDay(day)),
      series: [
        {
          name: m.books_covered({}, { locale }),
          color: '--success' as const,
          values: days.map(({ covered_total }) => heightOf(covered_total)),
        },
        {
          name: m.books_uncovered({}, { locale }),
          color: '--warning' as const,
          values: days.map(({ uncovered_total }) => heightOf(uncovered_total)),
        },
      ],
      ...moneyWriters(data.days[0]?.covered_total.currency ?? '', locale),
    }
  }, [data, locale])
  return (
    <ReportCard
      title={m.books_renewals()}
      description={m.books_renewals_text()}
      name="renewals"
      unit={m.books_day()}
      query={query}
      plot={plot}
      currency={data?.days[0]?.covered_total.currency}
      table={{
        head: [
          m.books_day(),
          m.books_covered_count(),
          m.books_covered(),
          m.books_uncovered_count(),
          m.books_uncovered(),
        ],
        rows: (data?.days ?? []).map(({ day, covered, covered_total, uncovered, uncovered_total }) => [
          { shown: formatDay(day), written: day },
          covered,
          covered_total,
          uncovered,
          uncovered_total,
        ]),
      }}
    />
  )
}

type DueDay = { day: string; covered_total?: Money; uncovered_total?: Money }

/** Returns all days from today on, or from an earlier first due day, including the days on which nothing is due. */
function everyDay(due: readonly DueDay[]): DueDay[] {
  const all: DueDay[] = []
  const today = dayOf(new Date())
  const first = due[0] && due[0].day < today ? due[0].day : today
  const last = due.at(-1)?.day ?? today
  for (let day = first; day <= last || all.length <= DAYS; day = nextDay(day))
    all.push(due.find((one) => one.day === day) ?? { day })
  return all
}

const DAYS = 30
