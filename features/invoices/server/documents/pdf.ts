import { buffer } from 'node:stream/consumers'
import pdfmake from 'pdfmake'
import { facturxMetadata, XML_NAME } from './facturx-metadata.ts'
import { facesFor, type Face } from './fonts.ts'
import { pageOf, textOf } from './layout.ts'
import { cleaned } from './typeset.ts'
import { statementPage } from './layout-statement.ts'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { DocumentInput, StatementInput } from './document-input.ts'

// The attack is a name that pdfmake reads as an address: pdfmake may fetch nothing and read no file. Fonts come from memory.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => false)

/** The name of the signed statement inside its PDF. */
const STATEMENT_NAME = 'statement.json'

/** The members of a pdfkit document that pdfkit's types lack. */
type Document = NodeJS.ReadableStream & {
  end(): void
  appendXML(xml: string): void
  file(
    source: Buffer,
    options: { name: string; type: string; description: string; relationship: string; modifiedDate: Date },
  ): void
}

const isDocument = (stream: unknown): stream is Document =>
  typeof stream === 'object' &&
  stream !== null &&
  'end' in stream &&
  'appendXML' in stream &&
  'file' in stream

/** Returns a PDF/A-3b with the invoice's XML inside (ZUGFeRD 2, Factur-X 1.0). A logo that cannot be drawn is left out. */
export const makePdf = (paper: DocumentInput, xml: string): Promise<Buffer> =>
  withoutBadLogo(paper, (drawn) =>
    draw(
      textOf(drawn),
      (faces) => pageOf(drawn, faces),
      (document) => {
        document.file(Buffer.from(xml, 'utf8'), {
          name: XML_NAME,
          type: 'text/xml',
          description: 'Factur-X',
          // The attached XML is the same invoice in another form (ISO 19005-3, annex E).
          relationship: 'Alternative',
          modifiedDate: new Date(drawn.invoice.issued_at),
        })
        document.appendXML(facturxMetadata())
      },
    ),
  )

/** Returns the statement of a month as a PDF/A-3b, with the signed file inside if there is one. A logo that cannot be drawn is left out. */
export const makeStatementPdf = (paper: StatementInput): Promise<Buffer> =>
  withoutBadLogo(paper, (drawn) =>
    draw(
      JSON.stringify(drawn.statement) + drawn.holder + drawn.operator.name,
      (faces) => statementPage(drawn, faces),
      (document) => {
        if (!drawn.signed) return
        document.file(Buffer.from(drawn.signed.file, 'utf8'), {
          name: STATEMENT_NAME,
          type: 'application/json',
          description: 'Signed statement',
          // The page shows the same statement (ISO 19005-3, annex E).
          relationship: 'Alternative',
          modifiedDate: new Date(drawn.signed.issued_at),
        })
      },
    ),
  )

async function withoutBadLogo<Paper extends Pick<DocumentInput, 'operator'>>(
  paper: Paper,
  make: (paper: Paper) => Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await make(paper)
  } catch (error) {
    if (!paper.operator.logo) throw error
    return make({ ...paper, operator: { ...paper.operator, logo: undefined } })
  }
}

/** Draws a page with the fonts that `text` needs; `attach` adds to the document before its end. */
async function draw(
  text: string,
  page: (faces: readonly Face[]) => TDocumentDefinitions,
  attach?: (document: Document) => void,
): Promise<Buffer> {
  const faces = await facesFor(cleaned(text))
  const { fonts, forget } = offer(faces)
  pdfmake.setFonts(fonts)
  const document: unknown = await pdfmake.createPdf(page(faces)).getStream().finally(forget)
  if (!isDocument(document)) throw new Error('pdfmake makes no document of pdfkit any more')
  attach?.(document)
  const whole = buffer(document)
  document.end()
  return whole
}

/** Puts the fonts where pdfmake reads them, under names of this document alone; `forget` removes them. */
function offer(faces: readonly Face[]): {
  fonts: Parameters<typeof pdfmake.setFonts>[0]
  forget: () => void
} {
  const virtualfs: unknown = Reflect.get(pdfmake, 'virtualfs')
  if (!isFiles(virtualfs)) throw new Error('pdfmake has no virtual files any more')
  documents += 1
  const written: string[] = []
  const nameOf = (source: Buffer): string => {
    const name = `fonts/${documents}/${written.length}.ttf`
    virtualfs.writeFileSync(name, source)
    written.push(name)
    return name
  }
  const entries = faces.map(({ name, normal, bold }): [string, { normal: string; bold: string }] => [
    name,
    { normal: nameOf(normal.source), bold: nameOf(bold.source) },
  ])
  return {
    fonts: Object.fromEntries(entries),
    forget: () => written.forEach((name) => delete virtualfs.storage[name]),
  }
}

let documents = 0
type VirtualFiles = { storage: Record<string, Buffer>; writeFileSync(name: string, content: Buffer): void }
const isFiles = (files: unknown): files is VirtualFiles =>
  typeof files === 'object' && files !== null && 'storage' in files && 'writeFileSync' in files
