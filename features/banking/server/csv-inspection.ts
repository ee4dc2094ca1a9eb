import { isUtf8 } from 'node:buffer'
import type { CsvInspection } from '#features/banking/contract.ts'
import { delimiters, type CsvColumn, type CsvGuess, type CsvQuestion } from '#features/banking/csv-profile.ts'
import { namesOf } from './csv-columns.ts'
import { dayIn } from './csv-day.ts'
import { guessedColumns, knownIn, type Sample } from './csv-guesses.ts'
import { recordsIn } from './csv-records.ts'
import { textOf } from './decode.ts'
import { StatementError } from './statement.ts'

const MOST_BEFORE = 50
const MOST_ROWS = 200
const SAMPLES = 3

/** Returns the columns of a CSV file and its form as far as it shows it, with what it leaves open; undefined if it is no table. */
export function inspected(bytes: Buffer): CsvInspection | undefined {
  const encoding = encodingOf(bytes)
  const text = textIn(bytes, encoding)
  const table = text === undefined ? undefined : tableIn(text)
  if (!table) return undefined
  const samples = table.names.map((name, place): Sample => ({
    name,
    values: table.rows.map((cells) => cells[place] ?? '').filter((value) => value !== ''),
  }))
  const columns = guessedColumns(samples)
  const valuesOf = (...wanted: readonly CsvColumn[]) =>
    samples
      .filter(({ name }) => wanted.some((column) => columns[column] === name))
      .flatMap(({ values }) => values)
  const date = dateFormOf(valuesOf('date'))
  const decimal = decimalOf(valuesOf('amount', 'debit', 'credit'))
  const form: CsvGuess = {
    delimiter: table.delimiter,
    encoding,
    date_form: date ?? 'dd/mm/yyyy',
    decimal: decimal ?? ',',
    ...columns,
    sign: 'unsaid',
  }
  const hasMoney = columns.amount !== '' || columns.debit !== '' || columns.credit !== ''
  const saysDirection =
    columns.direction !== '' ||
    columns.debit !== '' ||
    valuesOf('amount').some((value) => /[-\u{2212}()]/u.test(value))
  const open: Readonly<Record<CsvQuestion, boolean>> = {
    date: columns.date === '',
    date_form: columns.date !== '' && date === undefined,
    amount: !hasMoney,
    decimal: hasMoney && decimal === undefined,
    direction: hasMoney && !saysDirection,
  }
  return {
    columns: samples.map(({ name, values }) => ({
      name,
      samples: [...new Set(values)].slice(0, SAMPLES).map(short),
    })),
    form,
    asked: (['date', 'date_form', 'amount', 'decimal', 'direction'] as const).filter(
      (question) => open[question],
    ),
  }
}

const short = (value: string) => [...value.toWellFormed()].slice(0, 60).join('')

/** The bytes of umlauts in CP850, which in Windows-1252 are signs that stand in no word. */
const CP850 = /[A-Za-z][\u{81}\u{84}\u{94}\u{8e}\u{99}\u{9a}][a-z]/u

function encodingOf(bytes: Buffer): CsvGuess['encoding'] {
  if (isUtf8(bytes) || bytes.includes(0)) return 'utf-8'
  return CP850.test(bytes.toString('latin1')) ? 'cp850' : 'windows-1252'
}

function textIn(bytes: Buffer, encoding: string): string | undefined {
  try {
    return [...textOf(bytes, encoding)].join('').replace(/^\u{feff}/u, '')
  } catch (error) {
    if (error instanceof StatementError) return undefined
    throw error
  }
}

type Table = { delimiter: CsvGuess['delimiter']; names: string[]; rows: string[][] }

/** Returns the table whose line of names is known best; else the widest that has the same width twice. */
function tableIn(text: string): Table | undefined {
  const tables = delimiters.flatMap((delimiter) => {
    const records = recordsIn(text, delimiter === 'tab' ? '\t' : delimiter, () => undefined)
    const cells = firstOf(records, MOST_BEFORE + MOST_ROWS).map((record) => record.cells)
    return cells.slice(0, MOST_BEFORE).map((header, place) => {
      const rows = cells.slice(place + 1)
      const isTable = header.length > 1 && rows.some(({ length }) => length === header.length)
      return { delimiter, header, rows, known: isTable ? knownIn(header) : -1 }
    })
  })
  const best = tables
    .filter(({ known }) => known >= 0)
    .toSorted((one, other) => other.known - one.known || other.header.length - one.header.length)[0]
  if (!best) return undefined
  const { delimiter, header, known } = best
  // A line that has a day and names nothing is the first payment of a file without names.
  const isNameless = known === 0 && header.some((cell) => dayIn(cell, 'dd/mm/yyyy') !== undefined)
  const names = isNameless ? header.map((_, place) => `#${place + 1}`) : namesOf(header)
  return { delimiter, names, rows: [...(isNameless ? [header] : []), ...best.rows].slice(0, MOST_ROWS) }
}

function firstOf<Item>(items: Iterable<Item>, most: number): Item[] {
  const first: Item[] = []
  for (const item of items) if (first.push(item) === most) break
  return first
}

/** Returns the form that all days have; undefined if day and month could be either. */
function dateFormOf(values: readonly string[]): CsvGuess['date_form'] | undefined {
  const days = values.filter((value) => /\d/.test(value))
  if (days.some((day) => /^\d{4}[-./]/.test(day))) return 'yyyy-mm-dd'
  if (days.some((day) => /^\d{8}$/.test(day))) return 'yyyymmdd'
  if (days.some((day) => /^\d\d?\.|\p{L}{3}/u.test(day))) return 'dd.mm.yyyy'
  const parts = days.map((day) => /^(\d\d?)[/-](\d\d?)/.exec(day)?.slice(1).map(Number) ?? [0, 0])
  if (parts.some(([first = 0]) => first > 12))
    return days.some((day) => day.includes('/')) ? 'dd/mm/yyyy' : 'dd-mm-yyyy'
  return parts.some(([, second = 0]) => second > 12) ? 'mm/dd/yyyy' : undefined
}

/** Returns the sign for decimals; undefined where all signs may divide thousands. Amounts without any sign leave nothing open. */
function decimalOf(values: readonly string[]): CsvGuess['decimal'] | undefined {
  const numbers = values.map((value) => value.replaceAll(/[^\d.,]/g, ''))
  const sign = numbers
    .map((number) => /([.,])\d{1,2}$/.exec(number)?.[1])
    .find((found) => found !== undefined)
  if (sign === ',' || sign === '.') return sign
  return numbers.some((number) => /[.,]/.test(number)) ? undefined : ','
}
