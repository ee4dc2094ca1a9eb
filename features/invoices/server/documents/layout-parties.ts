import type { Column, Content } from 'pdfmake/interfaces.js'
import { m } from '#texts/messages.js'
import { day, PAGE_WIDTH, type Ink } from './ink.ts'
import type { DocumentInput } from './document-input.ts'

const GAP = 20
const FACTS_WIDTH = 124
const PARTY_WIDTH = (PAGE_WIDTH - FACTS_WIDTH - 2 * GAP) / 2

/** Returns three columns of fixed width, which no long name can widen: the seller, the buyer, and the number, days and references. */
export function parties(paper: DocumentInput, write: Ink): Content {
  const { invoice, locale } = paper
  const { from, to } = invoice
  const vatId = (id: string) => (id ? m.invoices_vat_id({ id }, { locale }) : '')
  return {
    columns: [
      block(write, m.invoices_from({}, { locale }), [
        from.name,
        from.street,
        `${from.zip} ${from.city}`,
        country(from.country, locale),
        from.email,
        from.phone,
        vatId(from.vat_id),
        from.tax_number ? m.invoices_tax_number({ number: from.tax_number }, { locale }) : '',
        from.register,
      ]),
      block(write, m.invoices_to({}, { locale }), [
        to.company,
        to.name || (to.company ? '' : to.email),
        to.street,
        to.apartment,
        `${to.zip} ${to.city}`,
        to.state,
        country(to.country, locale),
        vatId(to.vat_id),
      ]),
      facts(paper, write),
    ],
    columnGap: GAP,
    margin: [0, 0, 0, 24],
  }
}

function block(write: Ink, label: string, rows: readonly string[]): Column {
  const shown = rows.map((row) => row.trim()).filter((row) => row !== '')
  return {
    width: PARTY_WIDTH,
    stack: [
      write(label, { width: PARTY_WIDTH, label: true }),
      ...shown.map((row, index) => write(row, { width: PARTY_WIDTH, bold: index === 0 })),
    ],
  }
}

function facts({ invoice, locale, issued_on }: DocumentInput, write: Ink): Column {
  const isInvoice = invoice.kind === 'invoice'
  const issued = day(issued_on, locale)
  const { status, buyer_reference, order_reference, credit_note_of } = invoice
  const rows: [string, string][] = [
    [m.invoices_number({}, { locale }), invoice.number],
    [m.invoices_issued({}, { locale }), issued],
    // A date to pay by is printed only if something is left to pay: else people pay twice.
    [m.invoices_due({}, { locale }), isInvoice && status === 'issued' ? issued : ''],
    [m.invoices_paid_on({}, { locale }), isInvoice && status !== 'issued' ? issued : ''],
    [m.invoices_corrects({}, { locale }), credit_note_of?.number ?? ''],
    [m.invoices_buyer_reference({}, { locale }), buyer_reference],
    [m.invoices_order_reference({}, { locale }), order_reference],
  ]
  return {
    width: FACTS_WIDTH,
    stack: rows
      .filter(([, value]) => value !== '')
      .flatMap(([label, value]): Content[] => [
        write(label, { width: FACTS_WIDTH, label: true }),
        write(value, { width: FACTS_WIDTH, margin: [0, 0, 0, 6] }),
      ]),
  }
}

function country(code: string, locale: string): string {
  return code === '' ? '' : (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
}
