import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { descriptionText } from '#features/finance/texts.ts'
import * as contract from '#features/invoices/statement-contract.ts'
import { signedStatements } from '#features/invoices/slots.ts'
import { paths } from '#features/paths.ts'
import { amountOf } from '#foundation/money.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDay, formatMonth } from '#foundation/web/i18n/format.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { Sums } from '#foundation/web/ui/sums.tsx'
import { m } from '#texts/messages.js'

const MOST_MONTHS = 24

/** The statement of a month, by default the last that is over, on the page and as a file: one's own, or for staff that of `userId`. */
export function Statement({ userId }: { userId?: string }) {
  const [months] = useState(() => lastMonths(new Date()))
  const [month, setMonth] = useState(months[1] ?? '')
  const query = useQuery<contract.Statement>(
    userId === undefined
      ? queryFor(contract.getStatement, { params: { month } })
      : queryFor(contract.getCustomerStatement, { params: { userId, month } }),
  )
  const save = (format: 'pdf' | 'csv') =>
    userId === undefined
      ? download(
          contract.downloadStatement,
          { params: { month }, query: { format } },
          `statement-${month}.${format}`,
        )
      : download(
          contract.downloadCustomerStatement,
          { params: { userId, month }, query: { format } },
          `statement-${month}.${format}`,
        )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="w-full sm:w-60">
          <SelectField
            name="month"
            label={m.invoices_statement_month()}
            options={months.map((value) => ({ value, label: monthText(value) }))}
            value={month}
            onChange={({ target: { value } }) => setMonth(value)}
          />
        </div>
        <div className="flex gap-2">
          <DownloadButton text="PDF" fetching={() => save('pdf')} />
          <DownloadButton text="CSV" fetching={() => save('csv')} />
        </div>
      </div>
      <Loaded query={query} failed={m.invoices_statement_failed()} waiting="h-60">
        {(statement) => <Told statement={statement} isOwn={userId === undefined} />}
      </Loaded>
      <Slot of={signedStatements} props={{ userId }} waiting={null} />
    </div>
  )
}

function Told({ statement, isOwn }: { statement: contract.Statement; isOwn: boolean }) {
  const { opening, received, spent, closing, rows, is_over } = statement
  const sums = [
    [m.invoices_statement_opening(), opening],
    [m.invoices_statement_received(), received],
    [m.invoices_statement_spent(), spent],
    [m.invoices_statement_closing(), closing],
  ] as const
  return (
    <>
      <Sums sums={sums} className="grid-cols-2 sm:grid-cols-4" />
      {is_over ? null : <p className="text-sm text-muted">{m.invoices_statement_open()}</p>}
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{m.invoices_statement_none()}</p>
      ) : (
        <Rows rows={rows} isOwn={isOwn} />
      )}
    </>
  )
}

const Rows = ({ rows, isOwn }: { rows: contract.Statement['rows']; isOwn: boolean }) => (
  <table className="w-full border-collapse text-xs sm:text-sm" aria-label={m.invoices_statement()}>
    <thead>
      <tr className="border-b border-line-strong text-left text-xs text-muted">
        <th className="pb-2 font-medium">{m.invoices_description()}</th>
        <th className={`${numberClass} pb-2 font-medium`}>{m.invoices_statement_amount()}</th>
        <th className={`${numberClass} pb-2 font-medium`}>{m.invoices_statement_balance()}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ day, number, transaction: { id, description, amount, balance_after, invoice_id } }) => (
        <tr key={id} className="border-b border-line align-top">
          <td className="py-2 [overflow-wrap:anywhere]">
            <p>{descriptionText(description)}</p>
            <p className="text-muted">
              <span>{formatDay(day)}</span>
              {number === null ? null : (
                <>
                  <span> · </span>
                  {isOwn && invoice_id !== null ? (
                    <TextLink to={paths.invoice(invoice_id)}>{number}</TextLink>
                  ) : (
                    <span>{number}</span>
                  )}
                </>
              )}
            </p>
          </td>
          <td className={`${numberClass} py-2 ${amountOf(amount) > 0n ? 'text-success' : ''}`}>
            {formatSignedMoney(amount)}
          </td>
          <td className={`${numberClass} py-2`}>{formatMoney(balance_after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const numberClass = 'pl-3 text-right whitespace-nowrap'

// The middle of a month is in the same month in every time zone.
const monthText = (month: string): string => formatMonth(`${month}-15T12:00:00Z`)

/** This month and those before it, newest first. */
const lastMonths = (today: Date): string[] =>
  Array.from({ length: MOST_MONTHS }, (_, back) => {
    const first = new Date(Date.UTC(today.getFullYear(), today.getMonth() - back, 1))
    return first.toISOString().slice(0, 7)
  })
