import { isPage } from './pages.ts'
import { plainJson } from './plain-text.ts'
import { sheetOf, tableOf, type Terminal } from './table.ts'

/** How an answer is printed: as JSON in a pipe, as a table on a terminal. `terminal` is undefined where JSON is wanted. */
export type Form = { terminal: Terminal | undefined; columns?: readonly string[] | undefined }

/** Returns an answer as it goes to the output. */
export function printed(answer: unknown, { terminal, columns }: Form): string {
  if (!terminal) return `${plainJson(JSON.stringify(answer))}\n`
  const lines = isPage(answer) ? listed(answer.items, terminal, columns) : sheetOf(answer, terminal)
  return lines.map((line) => `${line}\n`).join('')
}

const listed = (items: readonly unknown[], terminal: Terminal, columns?: readonly string[]): string[] =>
  items.length === 0 ? ['There is nothing to list.'] : tableOf(items, terminal, columns)

/** Returns the terminal that is written to; undefined if the output is a pipe or a file, and no table is asked for. */
export function terminalOf(
  { isTTY, columns }: { isTTY?: boolean; columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
  { json, table }: { json?: boolean | undefined; table?: boolean | undefined },
): Terminal | undefined {
  if (json === true || (isTTY !== true && table !== true)) return undefined
  const hasColours = isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  return { columns: columns ?? (Number(environment['COLUMNS']) || 120), hasColours }
}
