import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadBalances, getBalances } from '#features/books/contract.ts'
import { paths } from '#features/paths.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'

/** The balances of customers at the end of a day: their sums, the largest, and a file of all. */
export function Balances() {
  const [today] = useState(() => dayOf(new Date()))
  const [day, setDay] = useState(today)
  const query = /^\d{4}-\d\d-\d\d$/.test(day) ? { day } : {}
  return (
    <Card
      title={m.books_balances()}
      description={m.books_balances_text()}
      actions={
        <DownloadButton
          text={m.books_csv_of({ report: m.books_balances() })}
          fetching={() => download(downloadBalances, { query }, `balances-${day}.csv`)}
        />
      }
    >
      <div className="flex flex-col gap-5">
        <div className="w-full sm:max-w-52">
          <DayField name="day" label={m.books_balances_day()} value={day} onDay={setDay} />
        </div>
        <Sums query={query} />
      </div>
    </Card>
  )
}

function Sums({ query }: { query: { day?: string } }) {
  const balances = useQuery(queryFor(getBalances, { query }))
  return (
    <Loaded query={balances} failed={m.books_failed()} waiting="h-40">
      {(data) => {
        const sums = [
          [m.books_owed(), data.owed],
          [m.books_gifts(), data.gifts],
          [m.books_debts(), data.debts],
        ] as const
        return (
          <>
            <dl className="grid gap-3 text-sm sm:grid-cols-3">
              {sums.map(([term, amount]) => (
                <div key={term}>
                  <dt className="text-muted">{term}</dt>
                  <dd className="mt-0.5 text-base font-semibold tabular-nums">{formatMoney(amount)}</dd>
                </div>
              ))}
            </dl>
            {data.largest.length === 0 ? (
              <p className="text-sm text-muted">{m.books_nothing_yet()}</p>
            ) : (
              <Largest data={data} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

type Data = { largest: { customer: { id: string; name: string }; balance: Money; gift: Money }[] }
type Money = Parameters<typeof formatMoney>[0]

const Largest = ({ data: { largest } }: { data: Data }) => (
  <details>
    <summary className="w-fit cursor-pointer text-sm text-muted hover:text-text">
      {m.books_balances_largest({ count: largest.length })}
    </summary>
    <table className="mt-3 w-full border-collapse text-xs sm:text-sm" aria-label={m.books_balances()}>
      <thead>
        <tr className="border-b border-line-strong text-left text-xs text-muted">
          <th className="pb-2 font-medium">{m.books_customer()}</th>
          <th className={`${numberClass} pb-2 font-medium`}>{m.books_balance()}</th>
          <th className={`${numberClass} pb-2 font-medium`}>{m.books_gifts()}</th>
        </tr>
      </thead>
      <tbody>
        {largest.map(({ customer, balance, gift }) => (
          <tr key={customer.id} className="border-b border-line">
            <td className="py-2 [overflow-wrap:anywhere]">
              <TextLink to={paths.customer(customer.id, { tab: 'money' })}>
                {customer.name || customer.id}
              </TextLink>
            </td>
            <td className={`${numberClass} py-2`}>{formatMoney(balance)}</td>
            <td className={`${numberClass} py-2`}>{formatMoney(gift)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)

const numberClass = 'pl-2 text-right tabular-nums sm:pl-4'
