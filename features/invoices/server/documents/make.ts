import { writeCii } from './cii.ts'
import { termsOf } from './e-invoice.ts'
import type { Documents, DocumentInput, StatementInput } from './document-input.ts'
import { makePdf, makeStatementPdf } from './pdf.ts'
import { writeUbl } from './ubl.ts'

/** Makes the PDF of a statement, or of an invoice and, if its `formats` include it, the XRechnung. */
export async function makeDocuments(paper: DocumentInput | StatementInput): Promise<Documents> {
  if ('statement' in paper) return { pdf: await makeStatementPdf(paper) }
  const pdf = await makePdf(paper, xmlOf(paper, 'CII'))
  if (!paper.invoice.formats.includes('xrechnung')) return { pdf }
  return { pdf, xrechnung: Buffer.from(xmlOf(paper, 'XRECHNUNG-UBL'), 'utf8') }
}

/** `CII` is the XML inside the PDF; `XRECHNUNG-UBL` is a file of its own. */
export const xmlOf = (paper: DocumentInput, format: 'CII' | 'XRECHNUNG-UBL'): string =>
  format === 'CII' ? writeCii(termsOf(paper)) : writeUbl(termsOf(paper))
