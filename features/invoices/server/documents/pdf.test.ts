import { describe, expect, it } from 'vitest'
import { sampleInput, sampleKinds } from '#tests/harness/billing-documents.ts'
import { pdfObjects, type PdfObject } from '#tests/harness/pdf-objects.ts'
import { makeDocuments, xmlOf } from './make.ts'
import { facesFor } from './fonts.ts'
import { pageOf, textOf } from './layout.ts'
import { makePdf } from './pdf.ts'
import { must } from '#foundation/must.ts'

const find = (parts: PdfObject[], pattern: RegExp): PdfObject => {
  const found = parts.filter(({ head }) => pattern.test(head))
  expect(found, String(pattern)).toHaveLength(1)
  return must(found[0])
}

/** Returns the characters that the document's fonts cover, from their maps from glyphs to characters. */
const lettersOf = (parts: PdfObject[]): string =>
  parts
    .map(({ stream }) => stream?.toString('latin1') ?? '')
    .filter((text) => text.includes('begincmap'))
    .flatMap((map) => [...map.matchAll(/<([\da-f]{4,8})>/gi)])
    .map(([, hex = '']) => Buffer.from(hex, 'hex').swap16().toString('utf16le'))
    .join('')

describe('F-02 the PDF', async () => {
  const paper = sampleInput({
    locale: 'ru',
    to: { name: 'Михаил Соколов', street: 'Brīvības iela 118' },
    from: { name: 'Brückner & <Söhne>' },
  })
  const { pdf } = await makeDocuments(paper)
  const parts = pdfObjects(pdf)
  const text = Buffer.from(pdf).toString('latin1')

  it('is a PDF 1.7 marked as PDF/A-3b', () => {
    expect(text).toMatch(/^%PDF-1\.7\n/)
    const metadata = must(find(parts, /\/Type \/Metadata/).stream).toString('utf8')
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>')
    expect(metadata).toContain('<pdfaid:conformance>B</pdfaid:conformance>')
    expect(metadata).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>')
    expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>')
    for (const name of ['DocumentFileName', 'DocumentType', 'Version', 'ConformanceLevel'])
      expect(metadata).toContain(`<pdfaProperty:name>${name}</pdfaProperty:name>`)
    // An unescaped & from a name would make the metadata malformed XML.
    expect(metadata).not.toMatch(/&(?!\w+;)/)
    expect(text).toMatch(/\/ID \[<[\da-f]{32}> <[\da-f]{32}>\]/)
  })

  it('brings its colours', () => {
    const intent = find(parts, /\/S \/GTS_PDFA1/).head
    const [, reference] = /\/DestOutputProfile (\d+) 0 R/.exec(intent) ?? []
    const profile = must(
      pdfObjects(Buffer.from(text.slice(text.indexOf(`\n${reference} 0 obj\n`)), 'latin1'))[0],
    )
    expect(profile.head).toContain('/N 3')
    // The signature of an ICC profile, and its colour space.
    expect(must(profile.stream).subarray(36, 40).toString()).toBe('acsp')
    expect(must(profile.stream).subarray(16, 20).toString()).toBe('RGB ')
  })

  it('embeds its fonts, which hold every letter that it prints', () => {
    const fonts = parts.filter(({ head }) => /\/Type \/FontDescriptor/.test(head))
    expect(fonts.length).toBeGreaterThanOrEqual(2)
    for (const { head } of fonts) {
      expect(head).toMatch(/\/FontFile2 \d+ 0 R/)
      // The name of a font subset begins with six letters and a plus sign.
      expect(head).toMatch(/\/FontName \/[A-Z]{6}\+Roboto/)
    }
    expect(text).not.toContain('/Subtype /Type1')
    const letters = lettersOf(parts)
    for (const letter of 'МихаилСоколовīЛицензияßöB№'.replace('№', ''))
      expect(letters, letter).toContain(letter)
  })

  it('embeds the invoice as XML, as an alternative of the whole document', async () => {
    const file = find(parts, /\/Type \/EmbeddedFile/)
    expect(file.head).toContain('/Subtype /text#2Fxml')
    expect(must(file.stream).toString('utf8')).toBe(xmlOf(paper, 'CII'))
    const specification = find(parts, /\/Type \/Filespec/).head
    expect(specification).toContain('/AFRelationship /Alternative')
    expect(specification).toContain('/F (factur-x.xml)')
    expect(specification).toContain('/UF (factur-x.xml)')
    const catalog = find(parts, /\/Type \/Catalog/).head
    expect(catalog).toMatch(/\/AF \[\d+ 0 R\]/)
    expect(text).toMatch(/\/EmbeddedFiles/)
  })

  it('holds nothing that PDF/A forbids: no encryption, script, link to elsewhere', () => {
    expect(text).not.toMatch(/\/Encrypt|\/JavaScript|\/JS |\/Launch|\/URI|\/LZWDecode/)
  })
})

it.each(Object.entries(sampleKinds))('is made of %s, in every language', async (_, sample) => {
  for (const locale of ['en', 'de', 'ru'] as const) {
    const { pdf } = await makeDocuments(sampleInput({ ...sample, locale }))
    expect(Buffer.from(pdf).toString('latin1', 0, 5)).toBe('%PDF-')
  }
})

it('fetches nothing and opens no file, even if a name looks like a path or an address', async () => {
  const name = 'file:///etc/passwd https://example.com/a.png {{image}} data:image/png;base64,AAAA'
  const paper = sampleInput({ to: { name, company: name }, from: { name } })
  expect((await makeDocuments(paper)).pdf.length).toBeGreaterThan(10_000)
})

it('writes each name with its own letters, whatever was drawn before in fonts that stay open', async () => {
  // Roboto has one glyph for both characters: the Greek letter delta, and the sign of a difference.
  for (const sign of ['Δ', '∆']) {
    const { pdf } = await makeDocuments(sampleInput({ to: { name: `${sign} Hosting` } }))
    expect(lettersOf(pdfObjects(pdf)).match(/[Δ∆]/g)).toEqual([sign])
  }
})

it("shows the operator's logo, or the name if the logo cannot be drawn", async () => {
  const xml = xmlOf(sampleInput(), 'CII')
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="#f00"/></svg>'
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const plain = await makePdf(sampleInput(), xml)
  const withLogo = async (logo: Parameters<typeof sampleInput>[0]) => makePdf(sampleInput(logo), xml)
  const drawn = await withLogo({ operator: { logo: { kind: 'svg', text: svg } } })
  expect(contentOf(drawn)).not.toBe(contentOf(plain))
  const image = await withLogo({ operator: { logo: { kind: 'png', bytes: pixel } } })
  expect(image.toString('latin1')).toContain('/Subtype /Image')
  const broken = await withLogo({ operator: { logo: { kind: 'svg', text: '<svg' } } })
  expect(contentOf(broken)).toBe(contentOf(plain))
})

it.each([
  ['an invoice', {}, 'Rechnung HD-2026-000017'],
  ['a credit note over a part', { kind: 'credit_note' }, 'Rechnungskorrektur HD-2026-000017'],
  ['a credit note over all of it', { kind: 'credit_note', cancels: true }, 'Stornorechnung HD-2026-000017'],
] as const)('F-02 %s has its German name, and what is paid asks for no money', async (_, sample, title) => {
  const paper = sampleInput({ notes: [], ...sample, locale: 'de' })
  const page = pageOf(paper, await facesFor(textOf(paper)))
  const written = JSON.stringify(page.content).replaceAll('\u00a0', ' ')
  expect(page.info?.title).toBe(title)
  expect(written).not.toMatch(/DE02120300000000202051|BYLADEM1001|Fällig/)
  expect(written.includes('Bezahlt aus Guthaben')).toBe(paper.invoice.kind === 'invoice')
})

/** Returns what a PDF draws, without the times and ids in which two files always differ. */
const contentOf = (pdf: Uint8Array): string =>
  pdfObjects(pdf)
    .map(({ stream }) => stream?.toString('latin1') ?? '')
    .filter((stream) => stream.includes(' Tf'))
    .join('\n')

it('rule 62: a small business prints a total and no VAT', async () => {
  const printed = async (paper: ReturnType<typeof sampleInput>) =>
    JSON.stringify(pageOf(paper, await facesFor(textOf(paper))))
  const exempt = await printed(sampleInput({ vat_kind: 'small_business', rate_bp: 0n }))
  expect(await printed(sampleInput())).toMatch(/"Net".*"VAT [(]?\d/)
  expect(exempt).not.toMatch(/"Net"|"VAT [(]?\d/)
  expect(exempt).toContain('"Total')
})
