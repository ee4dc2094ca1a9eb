import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { digitsOf } from '#foundation/money.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'
import { MOST_LINES } from '#features/banking/rules.ts'
import { cut, dayOf, plain } from './bank-text.ts'
import type { Own } from './camt-statement.ts'
import { textOf } from './decode.ts'
import {
  emptyDelivery,
  StatementError,
  unreadable,
  type Delivery,
  type Statement,
  type StatementLine,
} from './statement.ts'

type Line = Omit<StatementLine, 'place'>

/** The most lines before the line that names the columns: banks write their address and the like there. */
const MOST_BEFORE = 50

/**
 * Reads a CSV statement, whose text comes in pieces, in the form of its bank. CSV names no account and no balances: the account is
 * `own`, the balances are null. Leaves out lines without a day or an amount, as of payments not booked yet. Throws StatementError.
 */
export async function readCsv(bytes: Buffer, form: CsvForm, own: Own): Promise<Delivery> {
  const pieces = textOf(bytes, form.encoding)
  const lines: Line[] = []
  let places: Places | undefined
  let before = 0
  for await (const cells of recordsOf(pieces, form)) {
    if (places === undefined) {
      places = placesIn(cells, form)
      before += 1
      if (before > MOST_BEFORE) throw unreadable()
    } else {
      const line = lineOf(cells, places, form, own.currency)
      if (line) lines.push(line)
      if (lines.length > MOST_LINES) throw new StatementError('too_many_lines')
    }
  }
  if (places === undefined) throw unreadable()
  const days = lines.map(({ booked_on }) => booked_on).toSorted()
  const statement: Statement = {
    kind: 'csv',
    page: null,
    id: '',
    ...own,
    opened_on: days[0] ?? null,
    closed_on: days.at(-1) ?? null,
    opening: null,
    closing: null,
    lines: lines.map((line, place) => ({ ...line, place: place + 1 })),
  }
  return { ...emptyDelivery(), statements: [statement] }
}

async function* recordsOf(pieces: Iterable<string>, { delimiter }: CsvForm): AsyncGenerator<string[]> {
  const parser = parse({
    bom: true,
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: 64_000,
  })
  const source = Readable.from(pieces)
  source.on('error', (error) => parser.destroy(error))
  try {
    // The parser has no option `columns`, so each record is a list of cells.
    const records: AsyncIterable<string[]> = source.pipe(parser)
    yield* records
  } catch (error) {
    throw error instanceof CsvError ? unreadable() : error
  } finally {
    source.destroy()
  }
}

const fields = ['date', 'amount', 'currency', 'payer', 'iban', 'text'] as const
type Places = Record<(typeof fields)[number], number>

/** Returns the places of the columns from the line that names them; undefined for an earlier line. */
function placesIn(cells: readonly string[], form: CsvForm): Places | undefined {
  const placeOf = (field: keyof Places) => (form[field] === '' ? -1 : cells.indexOf(form[field]))
  const places: Places = {
    date: placeOf('date'),
    amount: placeOf('amount'),
    currency: placeOf('currency'),
    payer: placeOf('payer'),
    iban: placeOf('iban'),
    text: placeOf('text'),
  }
  if (places.date < 0 || places.amount < 0) return undefined
  // A column that the form names and the file lacks would be read as empty in every line.
  if (fields.some((field) => form[field] !== '' && places[field] < 0)) throw unreadable()
  return places
}

function lineOf(cells: readonly string[], places: Places, form: CsvForm, usual: string): Line | undefined {
  const cell = (field: keyof Places) => cells[places[field]] ?? ''
  if (cell('date') === '' || cell('amount') === '') return undefined
  const currency = cell('currency').toUpperCase() || usual
  const amount = amountIn(cell('amount'), form.decimal, currency)
  if (amount === 0n) return undefined
  const booked_on = dayIn(cell('date'), form.date_form)
  const [name, iban, text] = [
    cut(cell('payer'), 200),
    plain(cell('iban')).slice(0, 34),
    cut(cell('text'), 1000),
  ]
  return {
    booked_on,
    amount,
    currency,
    name,
    iban,
    text,
    end_to_end: '',
    bank_ref: '',
    batch_amount: null,
    doubt: null,
  }
}

/** Returns an amount such as '1.234,50', '-19.90', '19,90-' or '+5' in minor units. */
function amountIn(given: string, decimal: CsvForm['decimal'], currency: string): bigint {
  const grouping = decimal === ',' ? /[.\s'’\u{a0}\u{202f}]/gu : /[,\s'’\u{a0}\u{202f}]/gu
  const plainly = given.replaceAll(grouping, '').replace('\u{2212}', '-')
  const [, before = '', whole, part = '', behind = ''] =
    /^([+-]?)(\d{1,15})(?:[.,](\d{1,5}))?([+-]?)$/.exec(plainly) ?? []
  const digits = /^[A-Z]{3}$/.test(currency) ? digitsOf(currency) : 0
  if (whole === undefined || /[1-9]/.test(part.slice(digits))) throw unreadable()
  const amount = BigInt(whole + part.slice(0, digits).padEnd(digits, '0'))
  return before === '-' || behind === '-' ? -amount : amount
}

const patterns = {
  'dd.mm.yyyy': /^(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d{4})/,
  'dd.mm.yy': /^(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d\d)$/,
  'yyyy-mm-dd': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)/,
  'dd/mm/yyyy': /^(?<d>\d\d?)\/(?<m>\d\d?)\/(?<y>\d{4})/,
  'mm/dd/yyyy': /^(?<m>\d\d?)\/(?<d>\d\d?)\/(?<y>\d{4})/,
} as const

function dayIn(given: string, form: CsvForm['date_form']): string {
  const { y = '', m = '', d = '' } = patterns[form].exec(given)?.groups ?? {}
  const text = `${y.length === 2 ? `20${y}` : y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  // A day that the month lacks would roll over into the next.
  if (dayOf(text) === null || !new Date(text).toISOString().startsWith(text)) throw unreadable()
  return text
}
