import { decimalText } from '#foundation/money.ts'
import { knownDigits } from '#foundation/currencies.ts'
import { textIn } from './json.ts'
import { cut, plainText, widthOf } from './plain-text.ts'

/** A terminal: its width in columns, and whether it may be given colours. */
export type Terminal = { columns: number; hasColours: boolean }

type Row = Map<string, string>

// These fields say most of a thing, and come first; others follow in the order of the API document.
const first = (
  'id seq number slug name subject title type kind by_staff text code status licence.status state ' +
  'role plan.name price price_total term amount total balance balance_after connected ipv4 licence.paid_until ' +
  'paid_until ends_at issued_at due_at last_message_at created_at occurred_at starts_at at'
).split(' ')
const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length)

/** Returns things as a table of as many columns as the terminal has room for; `chosen` names the columns and their order. */
export function tableOf(
  things: readonly unknown[],
  terminal: Terminal,
  chosen?: readonly string[],
): string[] {
  const rows = things.map((thing) => flat(thing))
  const known = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const names =
    chosen ?? known.filter((name) => isTelling(name, rows)).toSorted((one, other) => rank(one) - rank(other))
  const columns = names.map((name) => {
    const most = chosen ? 200 : 40
    const cells = rows.map((row) => cut(row.get(name) ?? '–', most))
    const isNumber = cells.every((cell) => /^(–|-?[\d.]+( [A-Z]{3})?)$/.test(cell))
    return { name, cells, isNumber, width: Math.max(widthOf(name), ...cells.map(widthOf)) }
  })
  const shown = chosen ? columns : fitting(columns, terminal.columns)
  const line = (cellOf: (column: (typeof columns)[number]) => string) =>
    shown
      .map((column) => {
        const cell = cellOf(column)
        const room = ' '.repeat(column.width - widthOf(cell))
        return column.isNumber ? room + cell : cell + room
      })
      .join('  ')
      .trimEnd()
  const head = line(({ name }) => name)
  return [bold(head, terminal), ...rows.map((_, index) => line(({ cells }) => cells[index] ?? ''))]
}

/** Returns one thing: its fields below each other, then its lists as tables of their own. A lone field is the thing itself. */
export function sheetOf(thing: unknown, terminal: Terminal): string[] {
  const entries: [string, unknown][] = Object.entries(
    typeof thing === 'object' && thing !== null ? thing : {},
  )
  const lone = entries.length === 1 ? entries[0]?.[1] : undefined
  if (typeof lone === 'object' && lone !== null && !Array.isArray(lone)) return sheetOf(lone, terminal)
  const fields = [...flat(thing, 3)]
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)))
  const lines = fields.map(([name, value]) => `${bold(name.padEnd(width), terminal)}  ${value}`)
  for (const [name, list] of entries)
    if (Array.isArray(list) && list.some((item) => typeof item === 'object'))
      lines.push('', bold(name, terminal), ...tableOf(list, terminal))
  return lines
}

const bold = (text: string, { hasColours }: Terminal): string =>
  hasColours ? `\u001b[1m${text}\u001b[22m` : text

/** Returns the first columns that fit side by side: one at least. */
function fitting<Column extends { width: number }>(columns: readonly Column[], room: number): Column[] {
  let taken = -2
  return columns.filter(({ width }, index) => {
    taken += width + 2
    return index === 0 || taken <= room
  })
}

/** True for a column that tells rows apart, or says something in each of them. */
const isTelling = (name: string, rows: readonly Row[]): boolean =>
  rows.some((row) => (row.get(name) ?? '–') !== '–') && name !== 'version'

/** Returns the fields of a thing as texts. A field within a field is named with a point: licence.status. */
function flat(thing: unknown, depth = 2, prefix = ''): Row {
  const row: Row = new Map()
  if (typeof thing !== 'object' || thing === null || Array.isArray(thing))
    return row.set('value', textOf(thing) ?? '')
  for (const [name, value] of Object.entries(thing)) {
    const text = textOf(value)
    if (text !== undefined) row.set(prefix + name, text)
    else if (depth > 1 && !Array.isArray(value))
      for (const [inner, innerText] of flat(value, depth - 1, `${prefix}${name}.`)) row.set(inner, innerText)
  }
  return row
}

/** Returns a value as one line; undefined for a thing with fields, and for a list of things. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return plainText(isTime(value) ? timeText(value) : value)
  if (Array.isArray(value))
    return value.every((item) => typeof item !== 'object') ? plainText(value.join(', ')) || '–' : undefined
  const [amount, currency, english] = [
    textIn(value, 'amount'),
    textIn(value, 'currency'),
    textIn(value, 'en'),
  ]
  if (amount !== undefined && currency !== undefined && knownDigits(currency) !== undefined)
    return `${decimalText({ amount, currency })} ${currency}`
  return english === undefined ? undefined : plainText(english)
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

/** Returns a time in the zone of the terminal, as Swedes write it: 2026-11-29 10:30. */
const timeText = (time: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(new Date(time))
