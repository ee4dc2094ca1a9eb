import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadBalances, getBalances } from '#features/books/contract.ts'
import type { DebtOfCustomer } from '#features/books/shapes.ts'
import { paths } from '#features/paths.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Sums } from '#foundation/web/ui/sums.tsx'
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
        <Told query={query} />
      </div>
    </Card>
  )
}

function Told({ query }: { query: { day?: string } }) {
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
            <Sums sums={sums} className="sm:grid-cols-3" />
            {data.largest.length === 0 ? (
              <p className="text-sm text-muted">{m.books_nothing_yet()}</p>
            ) : (
              <>
                <Debtors debtors={data.debtors} />
                <Largest data={data} />
              </>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The debts with their age, the oldest first. */
const Debtors = ({ debtors }: { debtors: readonly DebtOfCustomer[] }) =>
  debtors.length === 0 ? null : (
    <CustomersTable
      label={m.books_debts()}
      heads={[m.books_debt(), m.books_owes_since()]}
      rows={debtors.map(({ customer, debt, since, days }) => ({
        customer,
        cells: [
          formatMoney(debt),
          since === null ? '–' : m.books_since({ date: formatDate(since), count: days ?? 0 }),
        ],
      }))}
    />
  )

type Named = { id: string; name: string }
type Money = Parameters<typeof formatMoney>[0]
type Data = { largest: { customer: Named; balance: Money; gift: Money }[] }

const Largest = ({ data: { largest } }: { data: Data }) => (
  <details>
    <summary className="w-fit cursor-pointer text-sm text-muted hover:text-text">
      {m.books_balances_largest({ count: largest.length })}
    </summary>
    <div className="mt-3">
      <CustomersTable
        label={m.books_balances()}
        heads={[m.books_balance(), m.books_gifts()]}
        rows={largest.map(({ customer, balance, gift }) => ({
          customer,
          cells: [formatMoney(balance), formatMoney(gift)],
        }))}
      />
    </div>
  </details>
)

type TableProps = { label: string; heads: string[]; rows: { customer: Named; cells: string[] }[] }

/** A table of customers, each with the cells under `heads`. */
const CustomersTable = ({ label, heads, rows }: TableProps) => (
  <table className="w-full border-collapse text-xs sm:text-sm" aria-label={label}>
    <thead>
      <tr className="border-b border-line-strong text-left text-xs text-muted">
        <th className="pb-2 font-medium">{m.books_customer()}</th>
        {heads.map((head) => (
          <th key={head} className={`${numberClass} pb-2 font-medium`}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ customer: { id, name }, cells }) => (
        <tr key={id} className="border-b border-line">
          <td className="py-2 [overflow-wrap:anywhere]">
            <TextLink to={paths.customer(id, { tab: 'money' })}>{name || id}</TextLink>
          </td>
          {cells.map((cell, place) => (
            <td key={heads[place]} className={`${numberClass} py-2`}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const numberClass = 'pl-2 text-right sm:pl-4'
