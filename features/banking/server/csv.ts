import { setImmediate } from 'node:timers/promises'
import { delimiters, type CsvForm } from '#features/banking/csv-profile.ts'
import { MOST_LINES, MOST_ODD } from '#features/banking/rules.ts'
import type { Own } from './camt-statement.ts'
import { columnsIn, isWithoutNames, namelessColumns, type Columns } from './csv-columns.ts'
import { isInOtherOrder } from './csv-day.ts'
import { isDirectionDoubtful, type Seen } from './csv-doubts.ts'
import { recordsIn, type Record } from './csv-records.ts'
import { readRow } from './csv-row.ts'
import { textOf } from './decode.ts'
import { emptyDelivery, StatementError, unreadable, type Delivery, type StatementLine } from './statement.ts'

/** The most lines before the line that names the columns: banks write their address and the like there. */
const MOST_BEFORE = 50

/**
 * Reads a CSV statement in the form of its bank. CSV names no account and no balances: the account is `own`, the balances are null. Rows that
 * are not certain are set aside (rule 51). Throws StatementError if no row is certain, as where the file may have a direction that the form
 * does not name.
 */
export async function readCsv(bytes: Buffer, form: CsvForm, own: Own): Promise<Delivery> {
  const text = [...textOf(bytes, form.encoding)].join('').replace(/^\u{feff}/u, '')
  const delivery = emptyDelivery()
  const lines: StatementLine[] = []
  const seen: Seen[] = []
  const { columns, rows } = tableIn(text, form)
  const header = columns.written.join('\n')
  for (const record of rows) {
    // Some banks name the columns again on each page.
    if (record.cells.join('\n') === header) continue
    const read = readRow(record.cells, { columns, form, own })
    if (isInOtherOrder(record.cells[columns.places.date] ?? '', form.date_form))
      throw new StatementError('day_unclear')
    if (read === 'pending') delivery.pending += 1
    else if (read !== 'nothing' && 'odd' in read) delivery.odd.push(oddRow(read.odd, record))
    else if (read !== 'nothing') {
      lines.push({ ...read.line, place: record.row })
      seen.push({ cells: record.cells, amount: read.line.amount })
      if (lines.length % 1_000 === 0) await setImmediate()
    }
    if (lines.length > MOST_LINES || delivery.odd.length > MOST_ODD)
      throw new StatementError('too_many_lines')
  }
  if (isDirectionDoubtful(seen, columns, form)) throw new StatementError('direction_unclear')
  const days = lines.map(({ booked_on }) => booked_on).toSorted()
  delivery.statements.push({
    kind: 'csv',
    page: null,
    id: '',
    ...own,
    opened_on: days[0] ?? null,
    closed_on: days.at(-1) ?? null,
    opening: null,
    closing: null,
    lines,
  })
  return delivery
}

const oddRow = (
  reason: Delivery['odd'][number]['reason'],
  { row, text }: Record,
): Delivery['odd'][number] => ({
  kind: 'row',
  reason,
  source: '',
  place: row,
  shown: text,
})

/** Returns the columns of a file and the rows below, whatever separates them: the form's own separator comes first. */
function tableIn(text: string, form: CsvForm): { columns: Columns; rows: Iterable<Record> } {
  const isNameless = isWithoutNames(form)
  let error = unreadable()
  for (const delimiter of new Set([form.delimiter, ...delimiters])) {
    let width: number | undefined
    const records = recordsIn(text, delimiter === 'tab' ? '\t' : delimiter, () => width)
    try {
      const columns = isNameless ? namelessColumns(form) : headerIn(records, form)
      if (!columns) continue
      width = columns.names.length
      return { columns, rows: records }
    } catch (thrown) {
      if (!(thrown instanceof StatementError)) throw thrown
      error = thrown
    }
  }
  throw error
}

function headerIn(records: Iterator<Record, void>, form: CsvForm): Columns | undefined {
  for (let before = 0; before <= MOST_BEFORE; before += 1) {
    const { value: record } = records.next()
    if (!record) return undefined
    const columns = columnsIn(record.cells, form)
    if (columns) return columns
  }
  return undefined
}
