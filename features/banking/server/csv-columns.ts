import { csvColumns, type CsvColumn, type CsvForm } from '#features/banking/csv-profile.ts'
import { StatementError } from './statement.ts'

/** The line that names the columns, as the form uses it: the place of each column, -1 for none. */
export type Columns = {
  names: string[]
  /** The line itself; empty if there is none. */
  written: readonly string[]
  places: Record<CsvColumn, number>
  /** The places of the columns that the form names nowhere. */
  unknown: number[]
}

/** Returns the names of columns, each once: one without a name is called by its place, and a second of a name has a number. */
export function namesOf(cells: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return cells.map((cell, place) => {
    const name = cell === '' ? `#${place + 1}` : cell
    const count = (counts.get(normal(name)) ?? 0) + 1
    counts.set(normal(name), count)
    return count === 1 ? name : `${name} (${count})`
  })
}

const normal = (name: string) => name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/**
 * Returns the columns by the line that names them; undefined for an earlier line. Throws StatementError if the line has the day and the money
 * but not all columns of the form: the missing one would be read as empty in every line.
 */
export function columnsIn(cells: readonly string[], form: CsvForm): Columns | undefined {
  const names = namesOf(cells)
  const placesOf = (column: CsvColumn) => {
    const wanted = normal(form[column])
    const isWanted = (name: string, place: number) =>
      normal(name) === wanted || normal(cells[place] ?? '') === wanted
    return wanted === '' ? [] : names.flatMap((name, place) => (isWanted(name, place) ? place : []))
  }
  const places = mapped((column) => placesOf(column)[0] ?? -1)
  const money = (['amount', 'debit', 'credit'] as const).filter((column) => form[column] !== '')
  if (places.date < 0 || !money.some((column) => places[column] >= 0)) return undefined
  if (csvColumns.some((column) => form[column] !== '' && places[column] < 0))
    throw new StatementError('columns_unclear')
  // The currency of a payment stands behind its amount, where a balance has a currency too.
  const last = Math.max(...money.map((column) => places[column]))
  places.currency = placesOf('currency').find((place) => place > last) ?? places.currency
  return made(names, cells, places)
}

/** True if the form calls all columns by their places: the file has no line that names them. */
export const isWithoutNames = (form: CsvForm): boolean =>
  csvColumns.every((column) => /^(?:#[1-9]\d?)?$/.test(form[column]))

/** Returns the columns of a file without names. */
export function namelessColumns(form: CsvForm): Columns {
  const places = mapped((column) => Number(form[column].slice(1) || 0) - 1)
  const names = Array.from({ length: MOST_COLUMNS }, (_, place) => `#${place + 1}`)
  return made(names, [], places)
}

const MOST_COLUMNS = 99

type Places = Columns['places']

const mapped = (place: (column: CsvColumn) => number): Places => ({
  date: place('date'),
  amount: place('amount'),
  debit: place('debit'),
  credit: place('credit'),
  direction: place('direction'),
  state: place('state'),
  currency: place('currency'),
  payer: place('payer'),
  iban: place('iban'),
  text: place('text'),
})

function made(names: string[], written: readonly string[], places: Places): Columns {
  const used = new Set(Object.values(places))
  return { names, written, places, unknown: names.flatMap((_, place) => (used.has(place) ? [] : place)) }
}

/** Returns the currency that the name of a column says, such as 'Betrag (EUR)' or 'Umsatz in EUR'; empty if it says none. */
export function currencyIn(name: string): string {
  if (name.includes('€')) return 'EUR'
  const [, inBrackets, behind] = /\(([A-Z]{3})\)|(?:\s|^)([A-Z]{3})$/.exec(name.trim()) ?? []
  return inBrackets ?? behind ?? ''
}
