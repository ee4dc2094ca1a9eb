import type { Options } from './options.ts'

/** The most rows of a list that are printed without `--all`, and that are read at once. */
export const MOST = 100

/** The option of lists that end after `MOST` rows. */
export const allOption = { '--all': `all of them, not only the first ${MOST}` }

type Page<Row, Next> = { items: readonly Row[]; next_cursor: Next | null }

/** Reads the first page of a list, with `--all` every page. */
export async function rowsOf<Row, Next>(
  { all }: Options,
  read: (cursor: Next | undefined) => Promise<Page<Row, Next>>,
): Promise<{ rows: Row[]; has_more: boolean }> {
  const rows: Row[] = []
  let next: Next | undefined
  do {
    const page = await read(next)
    rows.push(...page.items)
    next = page.next_cursor ?? undefined
  } while (all === true && next !== undefined)
  return { rows, has_more: next !== undefined }
}

/** The page of a list of which one row more was read than a page has. */
export function pageBy<Row, Next>(rows: readonly Row[], placeOf: (row: Row) => Next): Page<Row, Next> {
  const items = rows.slice(0, MOST)
  const last = items.at(-1)
  return { items, next_cursor: rows.length > MOST && last !== undefined ? placeOf(last) : null }
}

/** The lines of a list, or the one that says that it is empty, and a last one where there are more. */
export const linesOf = (lines: readonly string[], none: string, has_more: boolean): string[] =>
  lines.length === 0 ? [none] : [...lines, ...(has_more ? ['There are more: --all prints all of them.'] : [])]
