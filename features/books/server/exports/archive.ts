import {
  documentsAfter,
  prepareDocuments,
  storedDocuments,
  type DocumentRow,
} from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { UTF8_MARK, csvLine } from '#foundation/csv.ts'
import type { ZippedFile } from '#foundation/server/zip.ts'
import * as m from '#texts/messages.js'
import { documentCells, documentHeadings, spanOf } from './lists.ts'
import { encodedText, paged, type Outcome, type Wanted } from './wanted.ts'

// The number of invoices whose documents are in memory at once: some megabytes.
const AT_ONCE = 20

/** Yields each invoice and credit note of the days as PDF and, if there is one, XRechnung, in a folder per month, and a list of all. */
export async function* documentFiles(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<ZippedFile> {
  const { locale } = wanted
  const said = { locale }
  const index = [
    csvLine([...documentHeadings(locale), m.books_file_pdf({}, said), m.books_file_xml({}, said)]),
  ]
  for await (const rows of paged(AT_ONCE, (after: DocumentRow | undefined, limit) =>
    documentsAfter(app.db, spanOf(app, wanted), { after, limit }),
  )) {
    const stored = await documentsOf(app, rows)
    for (const row of rows) {
      const files = stored.filter(({ invoice_id }) => invoice_id === row.id)
      const paths = { pdf: '', xrechnung: '' }
      for (const { format, content } of files) {
        paths[format] = `${row.day.slice(0, 7).replace('-', '/')}/${row.number}${ENDING[format]}`
        yield { path: paths[format], isPacked: format === 'pdf', content: [content] }
      }
      index.push(csvLine([...documentCells(row, locale), paths.pdf, paths.xrechnung]))
    }
    outcome.rows += rows.length
  }
  yield { path: 'index.csv', content: [encodedText(`${UTF8_MARK}${index.join('')}`)] }
}

const ENDING = { pdf: '.pdf', xrechnung: '.xml' } as const

/** Returns the documents of these invoices. A document that was never made is made now; an expired invoice has none. */
async function documentsOf(app: App, rows: readonly DocumentRow[]) {
  const ids = rows.map(({ id }) => id)
  const stored = await storedDocuments(app.db, ids)
  const have = new Set(stored.map(({ invoice_id }) => invoice_id))
  const lacking = rows.filter(({ id }) => !have.has(id))
  for (const { user_id, public_id } of lacking) await prepareDocuments(app, user_id, public_id)
  return lacking.length === 0 ? stored : storedDocuments(app.db, ids)
}
