import { useState } from 'react'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'
import type { FigureOf } from './series.ts'

type Props = { times: readonly number[]; figures: readonly FigureOf[] }

/**
 * The figures of the charts as a table, for people who cannot read a line. It has at most 24 rows, evenly spaced, and is
 * made only when it is opened.
 */
export function FiguresTable({ times, figures }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-muted hover:text-text">
        {m.hosts_as_table()}
      </summary>
      {open ? <Table times={times} figures={figures} /> : null}
    </details>
  )
}

function Table({ times, figures }: Props) {
  const step = Math.max(1, Math.ceil(times.length / ROWS))
  const rows = times.map((_, index) => index).filter((index) => (times.length - 1 - index) % step === 0)
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="py-2 pr-3 text-left font-medium">
              {m.hosts_time()}
            </th>
            {figures.map(({ name }) => (
              <th key={name()} scope="col" className="py-2 pl-3 text-right font-medium">
                {name()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="ruled">
          {rows.toReversed().map((index) => (
            <tr key={index}>
              <th scope="row" className="py-1.5 pr-3 text-left font-normal text-muted">
                {formatDateTime((times[index] ?? 0) * 1000)}
              </th>
              {figures.map(({ name, values, write }) => (
                <td key={name()} className="py-1.5 pl-3 text-right">
                  {typeof values[index] === 'number' ? write(values[index]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ROWS = 24
