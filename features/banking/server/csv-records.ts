/** A line of a CSV file. `row` is the number of its first line in the file, from 1; `text` is as it was written. */
export type Record = { cells: string[]; row: number; text: string }

/** The longest cell in quotes, in characters and lines: a quote that is open for longer is no beginning of a quoted cell. */
const MOST_QUOTED = 8_000
const MOST_LINES = 40

/**
 * Returns the lines of a CSV text (RFC 4180), without blank ones. A quote that is never closed, or stands within a word, is a letter like any
 * other: one such line does not swallow those behind it. A record of several lines that has not as many cells as `expected` is read line by line.
 */
export function* recordsIn(
  text: string,
  delimiter: string,
  expected: () => number | undefined,
): Generator<Record, void> {
  let row = 1
  for (let at = 0; at < text.length;) {
    const quoted = recordAt(text, at, delimiter, true)
    const count = expected()
    // Some banks write a separator too many at the end of each line.
    const isWhole = count === undefined || quoted.cells.length === count || quoted.cells.length === count + 1
    const isBroken = quoted.text.includes('\n') && !isWhole
    const record = isBroken ? recordAt(text, at, delimiter, false) : quoted
    if (record.cells.some((cell) => cell !== '')) yield { cells: record.cells, row, text: record.text }
    row += record.text.split('\n').length
    at = record.end
  }
}

type Read = { cells: string[]; text: string; end: number }

function recordAt(text: string, from: number, delimiter: string, mayQuote: boolean): Read {
  const cells: string[] = []
  let at = from
  for (;;) {
    const cell = (mayQuote ? quotedAt(text, at, delimiter) : undefined) ?? plainAt(text, at, delimiter)
    cells.push(cell.value.trim())
    at = cell.end
    if (!text.startsWith(delimiter, at)) break
    at += delimiter.length
  }
  const line = text.slice(from, at).replace(/\r$/, '')
  return { cells, text: line, end: at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1) }
}

type Cell = { value: string; end: number }

function plainAt(text: string, from: number, delimiter: string): Cell {
  let end = from
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r' && !text.startsWith(delimiter, end))
    end += 1
  return { value: text.slice(from, end), end }
}

/** Returns the quoted cell at this place; undefined if there is none, or its quote is not closed. */
function quotedAt(text: string, from: number, delimiter: string): Cell | undefined {
  const [blanks = ''] = /^ */.exec(text.slice(from, from + 20)) ?? []
  const begin = from + blanks.length
  if (text[begin] !== '"') return undefined
  for (let at = begin + 1; at - begin < MOST_QUOTED; at += 1) {
    at = text.indexOf('"', at)
    if (at < 0 || at - begin > MOST_QUOTED) return undefined
    if (text[at + 1] === '"') at += 1
    else {
      const [after = ''] = /^ */.exec(text.slice(at + 1, at + 20)) ?? []
      const end = at + 1 + after.length
      const isClosed = end >= text.length || /[\r\n]/.test(text[end] ?? '') || text.startsWith(delimiter, end)
      if (!isClosed) continue
      const value = text.slice(begin + 1, at)
      return value.split('\n').length > MOST_LINES ? undefined : { value: value.replaceAll('""', '"'), end }
    }
  }
  return undefined
}
