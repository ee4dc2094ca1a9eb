import { createRequire } from 'node:module'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import pdfmake from 'pdfmake'
import { facturxMetadata, XML_NAME } from './facturx-metadata.ts'
import { pageOf } from './layout.ts'
import type { Paper } from './paper.ts'

// Roboto comes along with pdfmake and writes Latin, Greek and Cyrillic. What is embedded is the part that is used.
const fonts = path.join(
  path.dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')),
  'fonts/Roboto',
)
pdfmake.setFonts({
  Roboto: { normal: path.join(fonts, 'Roboto-Regular.ttf'), bold: path.join(fonts, 'Roboto-Medium.ttf') },
})
// The attack is a name that is read as an address: nothing is fetched, and no file is read but the fonts.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((file) => path.dirname(path.resolve(file)) === fonts)

/** What pdfkit has and its types lack. */
type Document = NodeJS.ReadableStream & {
  end(): void
  appendXML(xml: string): void
  file(
    source: Buffer,
    options: { name: string; type: string; description: string; relationship: string; modifiedDate: Date },
  ): void
}

/** A PDF/A-3b with the invoice's XML inside (ZUGFeRD 2, Factur-X 1.0). A logo that cannot be drawn is left out. */
export async function makePdf(paper: Paper, xml: string): Promise<Buffer> {
  try {
    return await draw(paper, xml)
  } catch (error) {
    if (!paper.operator.logo) throw error
    return draw({ ...paper, operator: { ...paper.operator, logo: undefined } }, xml)
  }
}

async function draw(paper: Paper, xml: string): Promise<Buffer> {
  const document = (await pdfmake.createPdf(pageOf(paper)).getStream()) as unknown as Document
  document.file(Buffer.from(xml, 'utf8'), {
    name: XML_NAME,
    type: 'text/xml',
    description: 'Factur-X',
    // The same invoice in another form (ISO 19005-3, annex E).
    relationship: 'Alternative',
    modifiedDate: new Date(paper.invoice.issued_at),
  })
  document.appendXML(facturxMetadata())
  const whole = buffer(document)
  document.end()
  return whole
}
