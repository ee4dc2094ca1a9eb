import type { ExportKind } from '#features/books/rules.ts'
import type { Locale } from '#foundation/locale.ts'

/** A file to be made. Both days are written as `2026-11-23` and included. */
export type Wanted = {
  kind: ExportKind
  first_day: string
  last_day: string
  locale: Locale
  created_at: Date
}

/** The result of an export, final once the whole file is written. */
export type Outcome = {
  /** The number of postings, documents, movements or lines that the file lists. */
  rows: number
  /** True if the sums of the file equal those of the ledger; null if nothing is compared. */
  agrees: boolean | null
}

export const encodedText = (text: string): Uint8Array => Buffer.from(text)

/** Reads a list page by page. `more` returns the rows after the last row of the page before. */
export async function* paged<Row>(
  limit: number,
  more: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined; ;) {
    const rows = await more(after, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}
