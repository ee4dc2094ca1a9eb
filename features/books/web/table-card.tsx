import type { ReactNode } from 'react'
import Download from 'lucide-react/icons/download'
import { saveFile } from '#foundation/web/api/download.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { ReportTable, csvOf, type Table } from './report-table.tsx'

type FileProps = {
  title: string
  /** The name of the file that the table is saved to. */
  name: string
  table: Table
  /** The currency of all amounts of the table; undefined where it has none. */
  currency: string | undefined
}

/** The button that saves a table as a file. */
export function SaveTable({ title, name, table, currency }: FileProps) {
  const save = () =>
    saveFile(new Blob([csvOf(table, currency)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  return (
    <Button
      size="small"
      icon={<Download size={16} aria-hidden="true" />}
      aria-label={m.books_csv_of({ report: title })}
      onClick={save}
    >
      CSV
    </Button>
  )
}

/** A table that is a report by itself, and a file. */
export const TableCard = ({ description, ...file }: FileProps & { description: ReactNode }) => (
  <Card title={file.title} description={description} actions={<SaveTable {...file} />}>
    <ReportTable label={file.title} table={file.table} />
  </Card>
)
