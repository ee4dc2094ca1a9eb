import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { moneyText } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import type { Invoice } from '#features/invoices/contract.ts'
import { lineText, noteText } from '#features/invoices/texts.ts'
import type { Paper } from './paper.ts'

/** An invoice as a page to print, in the customer's language. Made anew each time: pdfmake writes into what it is given. */
export function pageOf(paper: Paper): TDocumentDefinitions {
  const { invoice, locale, operator } = paper
  const title = `${titleOf(paper)} ${invoice.number}`
  return {
    pageSize: 'A4',
    pageMargins: [56, 56, 56, 64],
    version: '1.7',
    subset: 'PDF/A-3b',
    language: locale,
    displayTitle: true,
    // pdfkit writes these into XML as they are: nothing that a person typed may stand here.
    info: { title, creator: 'Hostdesk', producer: 'Hostdesk' },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: 1.25 },
    styles: { label: { fontSize: 8, color: '#5f6672' }, strong: { bold: true } },
    content: [
      head(paper),
      { text: title, fontSize: 18, bold: true, margin: [0, 28, 0, 16] },
      parties(paper),
      lines(paper),
      totals(paper),
      notes(paper),
    ],
    footer: (page, pages) => ({
      columns: [
        { text: [operator.name, ' · ', invoice.number].join(''), style: 'label' },
        { text: m.invoices_page({ page, pages }, { locale }), style: 'label', alignment: 'right' },
      ],
      margin: [56, 24, 56, 0],
    }),
  }
}

const titleOf = ({ invoice, locale }: Paper): string =>
  invoice.kind === 'invoice' ? m.invoices_invoice({}, { locale }) : m.invoices_credit_note({}, { locale })

function head({ operator: { name, color, logo } }: Paper): Content {
  if (logo?.kind === 'svg') return { svg: logo.text, fit: [180, 40] }
  if (logo?.kind === 'png')
    return { image: `data:image/png;base64,${Buffer.from(logo.bytes).toString('base64')}`, fit: [180, 40] }
  return { text: name, fontSize: 16, bold: true, color }
}

function parties(paper: Paper): Content {
  const { invoice, locale, issued_on } = paper
  const { from, to } = invoice
  const facts: [string, string][] = [
    [m.invoices_number({}, { locale }), invoice.number],
    [m.invoices_issued({}, { locale }), day(issued_on, locale)],
    ...(invoice.kind === 'invoice'
      ? [[m.invoices_due({}, { locale }), day(issued_on, locale)] as [string, string]]
      : []),
  ]
  const vatId = (id: string) => (id ? m.invoices_vat_id({ id }, { locale }) : '')
  return {
    columns: [
      block(m.invoices_from({}, { locale }), [
        from.name,
        from.street,
        `${from.zip} ${from.city}`,
        country(from.country, locale),
        vatId(from.vat_id),
        from.tax_number ? m.invoices_tax_number({ number: from.tax_number }, { locale }) : '',
        from.register,
      ]),
      block(m.invoices_to({}, { locale }), [
        to.company,
        to.name || (to.company ? '' : to.email),
        to.street,
        to.apartment,
        `${to.zip} ${to.city}`,
        to.state,
        country(to.country, locale),
        vatId(to.vat_id),
      ]),
      {
        stack: facts.flatMap(([label, value]): Content[] => [
          { text: label, style: 'label' },
          { text: value, margin: [0, 0, 0, 6] },
        ]),
        width: 110,
      },
    ],
    columnGap: 24,
    margin: [0, 0, 0, 24],
  }
}

const block = (label: string, rows: readonly string[]): Content => ({
  stack: [
    { text: label, style: 'label' },
    ...rows.filter((row) => row.trim() !== '').map((row, index) => ({ text: row.trim(), bold: index === 0 })),
  ],
})

function lines({ invoice, locale }: Paper): Content {
  const right = (text: string): TableCell => ({ text, alignment: 'right', noWrap: true })
  const heading = (text: string, alignment: 'left' | 'right' = 'right') => ({
    text,
    style: 'label',
    alignment,
  })
  return {
    table: {
      headerRows: 1,
      widths: ['*', 'auto', 'auto', 'auto'],
      body: [
        [
          heading(m.invoices_description({}, { locale }), 'left'),
          heading(m.invoices_quantity({}, { locale })),
          heading(m.invoices_cost({}, { locale })),
          heading(m.invoices_price({}, { locale })),
        ],
        ...invoice.lines.map((line) => [
          {
            stack: [
              lineText(line.description, locale),
              ...(line.period ? [{ text: periodText(line.period, locale), style: 'label' }] : []),
            ],
          },
          right(line.quantity),
          right(moneyText(line.cost, locale)),
          right(moneyText(line.price, locale)),
        ]),
      ],
    },
    layout: ruled,
  }
}

const ruled = {
  hLineWidth: (row: number) => (row === 0 ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => '#d5d9e0',
  paddingLeft: (column: number) => (column === 0 ? 0 : 12),
  paddingRight: () => 0,
  paddingTop: () => 6,
  paddingBottom: () => 6,
}

function totals({ invoice, locale }: Paper): Content {
  const row = (label: string, value: Invoice['net'], bold = false): TableCell[] => [
    { text: label, bold },
    { text: moneyText(value, locale), alignment: 'right', noWrap: true, bold },
  ]
  const rate = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
    // In percent, and exact: a text may say so many hundredths.
    `${invoice.vat_rate}e-2` as `${number}`,
  )
  return {
    columns: [
      { text: '', width: '*' },
      {
        width: 'auto',
        table: {
          widths: ['auto', 'auto'],
          body: [
            row(m.invoices_net({}, { locale }), invoice.net),
            row(m.invoices_vat({ rate }, { locale }), invoice.vat),
            row(m.invoices_total({}, { locale }), invoice.total, true),
          ],
        },
        layout: { ...ruled, hLineWidth: (index: number) => (index === 2 ? 0.5 : 0) },
      },
    ],
    margin: [0, 12, 0, 24],
    unbreakable: true,
  }
}

const notes = ({ invoice, locale }: Paper): Content => ({
  stack: [
    { text: m.invoices_notes({}, { locale }), style: 'label' },
    ...invoice.notes.map((note) => noteText(note, (date) => day(date, locale), locale)),
    ...(invoice.from.iban
      ? [{ text: bankOf(invoice.from), style: 'label', margin: [0, 12, 0, 0] as const }]
      : []),
  ] as Content[],
})

const bankOf = ({ iban, bic }: Invoice['from']): string => [iban, bic].filter(Boolean).join(' · ')

const day = (date: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )

const periodText = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }, locale: string): string =>
  `${day(starts_at.slice(0, 10), locale)} – ${day(ends_at.slice(0, 10), locale)}`

function country(code: string, locale: string): string {
  return code === '' ? '' : (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
}
