import type { ExportKind } from '#features/books/rules.ts'
import type { Locale } from '#foundation/locale.ts'

/** A file to be made; days are as `2026-11-23`, both included. */
export type Wanted = {
  kind: ExportKind
  first_day: string
  last_day: string
  locale: Locale
  created_at: Date
}

/** The result of an export, known once all of it was written. */
export type Outcome = {
  /** Postings, documents, movements or lines: whatever the file is a list of. */
  rows: number
  /** True if it came to the sums of the ledger; null where nothing is compared. */
  agrees: boolean | null
}

export const encodedText = (text: string): Uint8Array => Buffer.from(text)

/** The rows of a list that is read page by page. `more` gives those behind the last one. */
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
