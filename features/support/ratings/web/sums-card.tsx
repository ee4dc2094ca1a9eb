import type { SupportReport } from '#features/support/ratings/contract.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { formatNumber } from '#foundation/web/i18n/number.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { CsvButton } from '#foundation/web/ui/csv-button.tsx'
import { m } from '#texts/messages.js'

type Sums = Omit<SupportReport['topics'][number], 'topic'>
type Row = Sums & { name: string; open_at_end?: number }
type Props = { title: string; first: string; rows: readonly Row[] }

/** A table of sums, and a file of the same values. */
export function SumsCard({ title, first, rows }: Props) {
  const columns = columnsOf(rows)
  const names = [first, ...columns.map(({ name }) => name)]
  const csv = () =>
    csvFile(
      names,
      rows.map((row) =>
        csvLine([textCell(row.name), ...columns.map(({ value }) => String(value(row) ?? ''))]),
      ),
    )
  return (
    <Card
      title={title}
      actions={<CsvButton label={m.ratings_csv_of({ table: title })} name={title} content={csv} />}
    >
      <div
        role="region"
        aria-label={title}
        // Focusable, so that keys scroll it on a phone.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="overflow-x-auto"
      >
        <table aria-label={title} className="w-full text-left text-sm">
          <thead className="text-xs text-muted">
            <tr className="border-b border-line-strong">
              {names.map((name, place) => (
                <th key={name} scope="col" className={`pb-2 font-medium ${place === 0 ? '' : numberClass}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-b border-line">
                <th scope="row" className="py-2 font-normal whitespace-nowrap">
                  {row.name}
                </th>
                {columns.map(({ name, value }) => (
                  <td key={name} className={`py-2 ${numberClass}`}>
                    {shown(value(row))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const numberClass = 'pl-3 text-right whitespace-nowrap'

type Column = { name: string; value: (row: Row) => number | undefined }

function columnsOf(rows: readonly Row[]): Column[] {
  const open = { name: m.ratings_open_at_end(), value: (row: Row) => row.open_at_end }
  return [
    { name: m.ratings_opened(), value: ({ opened }) => opened },
    { name: m.ratings_closed(), value: ({ closed }) => closed },
    ...(rows.some(({ open_at_end }) => open_at_end !== undefined) ? [open] : []),
    { name: m.ratings_first_answer(), value: ({ first_answer_s }) => hours(first_answer_s) },
    { name: m.ratings_resolution(), value: ({ resolution_s }) => hours(resolution_s) },
    { name: m.ratings_good(), value: ({ good }) => good },
    { name: m.ratings_fair(), value: ({ fair }) => fair },
    { name: m.ratings_poor(), value: ({ poor }) => poor },
  ]
}

const hours = (seconds: number | null): number | undefined =>
  seconds === null ? undefined : Math.round(seconds / 360) / 10

const shown = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value))
