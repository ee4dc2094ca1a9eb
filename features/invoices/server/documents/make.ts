import { FormatFactoryService } from '@e-invoice-eu/core'
import { structured } from './e-invoice.ts'
import { forLibrary } from './for-library.ts'
import type { Documents, DocumentInput } from './document-input.ts'
import { makePdf } from './pdf.ts'

/** The documents of one invoice: those that it says exist. */
export async function makeDocuments(paper: DocumentInput): Promise<Documents> {
  const pdf = await makePdf(paper, await xmlOf(paper, 'CII'))
  if (!paper.invoice.formats.includes('xrechnung')) return { pdf }
  return { pdf, xrechnung: Buffer.from(await xmlOf(paper, 'XRECHNUNG-UBL'), 'utf8') }
}

const silent = { log() {}, warn() {}, error() {} }
const formats = new FormatFactoryService()

/**
 * `CII` is what stands inside of the PDF, profile EN 16931; `XRECHNUNG-UBL` stands on its own. The library's own front
 * door compiles its huge schema for each invoice, for seconds; the tests check what we give it by that schema instead.
 */
export async function xmlOf(paper: DocumentInput, format: 'CII' | 'XRECHNUNG-UBL'): Promise<string> {
  const writer = formats.createFormatService(format, silent)
  const invoice = forLibrary(structured(paper), format)
  writer.fillInvoiceDefaults(invoice)
  const xml = await writer.generate(invoice, { format, lang: paper.locale, noWarnings: true })
  if (typeof xml !== 'string') throw new Error('the XML is no text')
  return format === 'CII' ? withNotesApart(xml) : xml
}

/**
 * BG-1 is one element for each note. The library writes all of them into one `ram:IncludedNote`, which no schema allows. What
 * people typed holds no `<`, so only the library's own elements fit the pattern.
 */
const withNotesApart = (xml: string): string =>
  xml.replaceAll(
    /<\/ram:Content>(\s*)<ram:Content>/g,
    '</ram:Content></ram:IncludedNote>$1<ram:IncludedNote><ram:Content>',
  )
