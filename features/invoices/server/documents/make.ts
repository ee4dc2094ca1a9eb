import { FormatFactoryService } from '@e-invoice-eu/core'
import { structured } from './e-invoice.ts'
import { forLibrary } from './for-library.ts'
import type { Documents, Paper } from './paper.ts'
import { makePdf } from './pdf.ts'

/** Both documents of one invoice. */
export async function makeDocuments(paper: Paper): Promise<Documents> {
  const [cii, ubl] = [await xmlOf(paper, 'CII'), await xmlOf(paper, 'XRECHNUNG-UBL')]
  return { pdf: await makePdf(paper, cii), xrechnung: Buffer.from(ubl, 'utf8') }
}

const silent = { log() {}, warn() {}, error() {} }
const formats = new FormatFactoryService()

/**
 * `CII` is what stands inside of the PDF, profile EN 16931; `XRECHNUNG-UBL` stands on its own. The library's own front
 * door compiles its huge schema for each invoice, for seconds; the tests check what we give it by that schema instead.
 */
export async function xmlOf(paper: Paper, format: 'CII' | 'XRECHNUNG-UBL'): Promise<string> {
  const writer = formats.createFormatService(format, silent)
  const invoice = forLibrary(structured(paper), format)
  writer.fillInvoiceDefaults(invoice)
  const xml = await writer.generate(invoice, { format, lang: paper.locale, noWarnings: true })
  if (typeof xml !== 'string') throw new Error('the XML is no text')
  return xml
}
