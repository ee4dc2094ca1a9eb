import type { Money } from '#foundation/money.ts'
import { decimalText } from '#foundation/money.ts'
import { UTF8_MARK, csvLine, textCell } from '#foundation/csv.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

/** The content of a cell; `shown` is for the page and `written` for the file that programs read, where the two differ. */
type Cell = string | number | Money | { shown: string; written: string }

export type Table = { head: readonly string[]; rows: readonly (readonly Cell[])[] }

/** A table of all values of a plot. The first column names the row; the other cells are numbers or texts. */
export function ReportTable({ label, table: { head, rows } }: { label: string; table: Table }) {
  return (
    // Letters that a reader spaces wider leave no room for all columns on a phone.
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-xs sm:text-sm" aria-label={label}>
        <thead>
          <tr className="border-b border-line-strong text-left text-xs text-muted">
            {head.map((name, column) => (
              <th key={name} className={`pb-2 font-medium ${column === 0 ? '' : numberClass}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // All rows are replaced together, so the index is enough as a key.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} className="border-b border-line">
              {row.map((cell, column) => (
                <td key={head[column]} className={`py-2 ${column === 0 ? '' : numberClass}`}>
                  {shown(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function shown(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return String(cell)
  return 'shown' in cell ? cell.shown : formatMoney(cell)
}

/** The table as a file that spreadsheets open: amounts with a point, and their currency in the last column. */
export function csvOf({ head, rows }: Table, currency: string | undefined): string {
  const lines = rows.map((row) => csvLine([...row.map(written), ...(currency ? [currency] : [])]))
  const top = csvLine([...head, ...(currency ? [m.books_currency()] : [])])
  // Without this byte order mark spreadsheets do not read the text as UTF-8.
  return `${UTF8_MARK}${top}${lines.join('')}`
}

function written(cell: Cell): string {
  if (typeof cell === 'string') return textCell(cell)
  if (typeof cell === 'number') return String(cell)
  return 'written' in cell ? cell.written : decimalText(cell)
}

const numberClass = 'pl-2 text-right sm:pl-4 sm:whitespace-nowrap'
