import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getRecurring, type Recurring as Told } from '#features/books/recurring-contract.ts'
import { inLanguage } from '#foundation/locale.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { heightOf, moneyWriters, monthText, shortMonth } from './figure-texts.ts'
import { ReportCard } from './report-card.tsx'
import { TableCard } from './table-card.tsx'

type Month = Told['months'][number]

/** Recurring revenue and the customers won and lost, by month; behind them the plans and the best customers of now. */
export function Recurring() {
  const query = useQuery(queryFor(getRecurring, { query: {} }))
  const { data } = query
  const locale = currentLocale()
  const months = data?.months ?? []
  const currency = months[0]?.mrr.currency
  const plots = useMemo(() => {
    const shown = data?.months ?? []
    if (currency === undefined || shown.every(({ licences, lost }) => licences === 0 && lost === 0))
      return undefined
    const plot = (name: string, valueOf: (month: Month) => number) => ({
      look: 'bars' as const,
      names: shown.map(({ month }) => shortMonth(month)),
      series: [{ name, color: '--accent' as const, values: shown.map(valueOf) }],
    })
    const write = (value: number) => new Intl.NumberFormat(locale).format(value)
    return {
      revenue: {
        ...plot(m.books_mrr({}, { locale }), ({ mrr }) => heightOf(mrr)),
        ...moneyWriters(currency, locale),
      },
      customers: {
        ...plot(m.books_customers({}, { locale }), ({ customers }) => customers),
        write,
        writeTick: write,
      },
    }
  }, [data, currency, locale])
  const card = { unit: m.books_month(), query }
  return (
    <>
      <ReportCard
        {...card}
        title={m.books_recurring()}
        description={m.books_recurring_text()}
        name="recurring"
        plot={plots?.revenue}
        currency={currency}
        table={{
          head: [m.books_month(), m.books_mrr(), m.books_arr(), m.books_licences()],
          rows: months.map((one) => [monthCell(one), one.mrr, one.yearly, one.licences]),
        }}
      />
      <ReportCard
        {...card}
        title={m.books_customers_moving()}
        description={m.books_customers_moving_text()}
        name="customers"
        plot={plots?.customers}
        currency={undefined}
        table={{
          head: [m.books_month(), m.books_customers(), m.books_joined(), m.books_returned(), m.books_lost()],
          rows: months.map((one) => [monthCell(one), one.customers, one.joined, one.returned, one.lost]),
        }}
      />
      {data && plots ? <Parts data={data} currency={currency} /> : null}
    </>
  )
}

const Parts = ({ data, currency }: { data: Told; currency: string | undefined }) => (
  <>
    <TableCard
      title={m.books_recurring_plans()}
      description={m.books_recurring_plans_text()}
      name="recurring-plans"
      currency={currency}
      table={{
        head: [m.books_plan(), m.books_mrr(), m.books_licences(), m.books_customers()],
        // Several plans may share a name.
        rows: data.plans.map(({ name, term, mrr, licences, customers }) => [
          `${inLanguage(name, currentLocale())} (${formatTerm(term)})`,
          mrr,
          licences,
          customers,
        ]),
      }}
    />
    <TableCard
      title={m.books_best()}
      description={m.books_best_text()}
      name="best-customers"
      currency={currency}
      table={{
        head: [m.books_customer(), m.books_mrr(), m.books_licences()],
        rows: data.best.map(({ customer: { id, name }, mrr, licences }) => [name || id, mrr, licences]),
      }}
    />
  </>
)

const monthCell = ({ month, is_final }: Month) => ({
  shown: is_final ? monthText(month) : m.books_month_open({ month: monthText(month) }),
  written: month,
})
