import type { ComponentProps, ReactNode } from 'react'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { Plot } from '#foundation/web/ui/plot.tsx'
import { ReportTable, type Table } from './report-table.tsx'
import { SaveTable } from './table-card.tsx'

type Props = {
  title: string
  description: string
  /** The name of the file that the table is saved to. */
  name: string
  /** The unit of a point of the plot: a month, a day. */
  unit: string
  query: ComponentProps<typeof Loaded>['query']
  /** Undefined where there is nothing to draw. */
  plot: Omit<Parameters<typeof Plot>[0], 'label' | 'unit'> | undefined
  table: Table
  /** More files than that of the table. */
  actions?: ReactNode
  /** The currency of all amounts of the table; undefined where it has none. */
  currency: string | undefined
}

/** A report: its plot, and the same values as a table and as a file. Also draws the loading and error states. */
export function ReportCard({ title, description, name, unit, query, plot, table, actions, currency }: Props) {
  return (
    <Card
      title={title}
      description={description}
      actions={
        plot ? (
          <>
            <div className="contents">{actions}</div>
            <SaveTable title={title} name={name} table={table} currency={currency} />
          </>
        ) : undefined
      }
    >
      <Loaded query={query} failed={m.books_failed()} waiting="h-60">
        {() =>
          plot ? (
            <div className="flex flex-col gap-4">
              <Plot label={title} unit={unit} {...plot} />
              <details>
                <summary className="w-fit cursor-pointer text-sm text-muted hover:text-text">
                  {m.books_as_table()}
                </summary>
                <div className="pt-3">
                  <ReportTable label={title} table={table} />
                </div>
              </details>
            </div>
          ) : (
            <p className="text-sm text-muted">{m.books_nothing_yet()}</p>
          )
        }
      </Loaded>
    </Card>
  )
}
