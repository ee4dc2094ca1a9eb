import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { Locale } from '#foundation/locale.ts'
import { moneyText } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import { documentText, giftNotes, noteText } from '#features/invoices/texts.ts'
import type { Face } from './fonts.ts'
import { linesTable, totalsTable } from './layout-lines.ts'
import { day, ink, PAGE_WIDTH, type Ink } from './ink.ts'
import { parties } from './layout-parties.ts'
import type { DocumentInput } from './document-input.ts'

/**
 * Returns an invoice as input for pdfmake, in the customer's language. It is built anew for each call, because pdfmake changes its input.
 */
export function pageOf(paper: DocumentInput, faces: readonly Face[]): TDocumentDefinitions {
  const { invoice, locale, operator } = paper
  const title = `${documentText(invoice, locale)} ${invoice.number}`
  const write = ink(faces)
  return {
    ...frameOf({ title, locale, footer: `${operator.name} · ${invoice.number}` }, write),
    content: [
      head(paper.operator, write),
      write(title, { width: PAGE_WIDTH, size: 18, bold: true, margin: [0, 28, 0, 16] }),
      parties(paper, write),
      linesTable(paper, write),
      totalsTable(paper, write),
      notes(paper, write),
    ],
  }
}

/** A page of A4 as all documents have it, with its foot. */
export const frameOf = (
  { title, locale, footer }: { title: string; locale: Locale; footer: string },
  write: Ink,
): Omit<TDocumentDefinitions, 'content'> => ({
  pageSize: 'A4',
  pageMargins: [56, 56, 56, 64],
  version: '1.7',
  subset: 'PDF/A-3b',
  language: locale,
  displayTitle: true,
  // pdfkit writes these into XML unescaped: no text that a person typed may be used here.
  info: { title, creator: 'Hostdesk', producer: 'Hostdesk' },
  defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: 1.25 },
  footer: (page, pages) => ({
    columns: [
      write(footer, { width: 380, label: true }),
      write(m.invoices_page({ page, pages }, { locale }), { width: 103, label: true, alignment: 'right' }),
    ],
    margin: [56, 24, 56, 0],
  }),
})

/** Returns the texts of the page, as JSON, that could have characters which the first font lacks. */
export const textOf = ({ invoice, operator, locale }: DocumentInput): string =>
  JSON.stringify([invoice, operator.name, moneyText(invoice.total, locale)])

/** The operator's logo, or else name. */
export function head({ name, color, logo }: DocumentInput['operator'], write: Ink): Content {
  if (logo?.kind === 'svg') return { svg: logo.text, fit: [180, 40] }
  if (logo?.kind === 'png')
    return { image: `data:image/png;base64,${Buffer.from(logo.bytes).toString('base64')}`, fit: [180, 40] }
  return write(name, { width: PAGE_WIDTH, size: 16, bold: true, color })
}

function notes({ invoice, locale }: DocumentInput, write: Ink): Content {
  const { iban, bic } = invoice.from
  const texts = [
    ...invoice.notes.map((note) => noteText(note, (date) => day(date, locale), locale)),
    ...giftNotes(invoice, locale),
  ]
  // The bank account is printed only if something is left to pay: else people pay twice.
  const account = invoice.status === 'issued' ? [iban, bic].filter(Boolean).join(' · ') : ''
  return {
    stack: [
      ...(texts.length > 0
        ? [write(m.invoices_notes({}, { locale }), { width: PAGE_WIDTH, label: true })]
        : []),
      ...texts.map((text) => write(text, { width: PAGE_WIDTH })),
      ...(account ? [write(account, { width: PAGE_WIDTH, label: true, margin: [0, 12, 0, 0] })] : []),
    ],
  }
}
