import type { ReactNode } from 'react'
import { Card } from '#foundation/web/ui/card.tsx'
import { CsvButton } from '#foundation/web/ui/csv-button.tsx'
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
export const SaveTable = ({ title, name, table, currency }: FileProps) => (
  <CsvButton label={m.books_csv_of({ report: title })} name={name} content={() => csvOf(table, currency)} />
)

/** A table that is a report by itself, and a file. */
export const TableCard = ({ description, ...file }: FileProps & { description: ReactNode }) => (
  <Card title={file.title} description={description} actions={<SaveTable {...file} />}>
    <ReportTable label={file.title} table={file.table} />
  </Card>
)
