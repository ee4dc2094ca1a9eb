import type { VatOfQuarter } from '#features/books/contract.ts'
import type { Money } from '#foundation/money.ts'
import { formatPercent } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

type Row = VatOfQuarter['sales'][number]
type Props<R extends Row> = {
  rows: readonly R[]
  label: string
  /** Returns a text to show below the country. */
  aside?: (row: R) => string
}

/** Sums by country and rate. On a phone the rate and the count of documents are below the country. */
export function VatTable<R extends Row>({ rows, label, aside }: Props<R>) {
  const names = new Intl.DisplayNames(currentLocale(), { type: 'region' })
  return (
    <table className="w-full border-collapse text-sm sm:table-fixed" aria-label={label}>
      <thead>
        <tr className="border-b border-line-strong text-left text-xs text-muted">
          {/* The columns of all tables of the page are equally wide, so that their figures are below each other. */}
          <th className="pb-2 font-medium sm:w-2/5">{m.books_country()}</th>
          <th className={`${numberClass} pb-2 pl-4 font-medium max-sm:hidden`}>{m.books_rate()}</th>
          <th className={`${numberClass} pb-2 pl-4 font-medium max-sm:hidden`}>{m.books_documents()}</th>
          <th className={`${numberClass} pb-2 pl-4 font-medium`}>{m.books_net()}</th>
          <th className={`${numberClass} pb-2 pl-4 font-medium`}>{m.books_vat()}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // All rows are replaced together, so the index is enough as a key.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index} className="border-b border-line align-top">
            <td className="py-3">
              <span className="block font-medium [overflow-wrap:anywhere]">{names.of(row.country)}</span>
              {row.vat_id === '' ? null : <span className="block text-muted">{row.vat_id}</span>}
              {aside ? <span className="block text-muted">{aside(row)}</span> : null}
              <span className="block text-muted sm:hidden">
                {`${formatPercent(row.vat_rate)} · ${m.books_documents()}: ${row.documents}`}
              </span>
            </td>
            <td className={`${numberClass} py-3 pl-4 max-sm:hidden`}>{formatPercent(row.vat_rate)}</td>
            <td className={`${numberClass} py-3 pl-4 max-sm:hidden`}>{row.documents}</td>
            <td className={`${numberClass} py-3 pl-4`}>{formatMoney(row.net)}</td>
            <td className={`${numberClass} py-3 pl-4`}>{formatMoney(row.vat)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-semibold">
          <th scope="row" className="pt-3 text-left">
            {m.books_sum()}
          </th>
          <td colSpan={2} className={`${numberClass} pt-3 pl-4 max-sm:hidden`}>
            {rows.reduce((sum, { documents }) => sum + documents, 0)}
          </td>
          <td className={`${numberClass} pt-3 pl-4`}>{formatMoney(sumOf(rows.map(({ net }) => net)))}</td>
          <td className={`${numberClass} pt-3 pl-4`}>{formatMoney(sumOf(rows.map(({ vat }) => vat)))}</td>
        </tr>
      </tfoot>
    </table>
  )
}

const sumOf = (all: readonly Money[]): Money => ({
  amount: String(all.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
  currency: all[0]?.currency ?? '',
})

const numberClass = 'text-right whitespace-nowrap'
