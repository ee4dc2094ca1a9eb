import { decimal } from '#foundation/decimal.ts'
import type { Content } from 'pdfmake/interfaces.js'
import type { Locale } from '#foundation/locale.ts'
import { amountOf, moneyText, toMoney } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import type { Invoice } from '#features/invoices/contract.ts'
import { isLowered, lineText, reductionText } from '#features/invoices/texts.ts'
import { day, PAGE_WIDTH, type Ink } from './ink.ts'
import type { DocumentInput } from './document-input.ts'

const GAP = 14

/** Returns the table of the invoice's lines. Each column of numbers fits its widest number, so that no number is broken. */
export function linesTable({ invoice, locale }: DocumentInput, write: Ink): Content {
  const headings = [
    m.invoices_quantity({}, { locale }),
    m.invoices_cost({}, { locale }),
    m.invoices_price({}, { locale }),
  ]
  const numbers = invoice.lines.map(({ quantity, cost, price }) => [
    quantity,
    moneyText(cost, locale),
    moneyText(price, locale),
  ])
  const widths = headings.map((heading, column) =>
    Math.ceil(
      Math.max(
        write.widest([heading], { label: true }),
        write.widest(numbers.map((row) => row[column] ?? '')),
      ) + 1,
    ),
  )
  const first = PAGE_WIDTH - widths.reduce((sum, width) => sum + width + GAP, 0)
  const right = (text: string, column: number, label = false) =>
    write(text, { width: widths[column] ?? 0, label, alignment: 'right' })
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: [first, ...widths],
      body: [
        [
          write(m.invoices_description({}, { locale }), { width: first, label: true }),
          ...headings.map((heading, column) => right(heading, column, true)),
        ],
        ...invoice.lines.map((line, row) => [
          {
            stack: [
              write(lineText(line.description, locale), { width: first }),
              ...reductionOf(line, locale).map((text) => write(text, { width: first, label: true })),
              ...(line.period ? [write(periodText(line.period, locale), { width: first, label: true })] : []),
            ],
          },
          ...(numbers[row] ?? []).map((text, column) => right(text, column)),
        ]),
      ],
    },
    layout: ruled,
  }
}

/** Returns the table of net, VAT and total, at the right; a small business states no VAT. The end of a page never divides it. */
export function totalsTable({ invoice, locale }: DocumentInput, write: Ink): Content {
  const rate = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
    // The rate is in percent: the exponent in the text divides it by 100 exactly.
    decimal(`${invoice.vat_rate}e-2`),
  )
  const parts: [string, Invoice['net'], boolean][] = [
    [m.invoices_net({}, { locale }), invoice.net, false],
    [m.invoices_vat({ rate }, { locale }), invoice.vat, false],
  ]
  const rows: typeof parts = [
    ...(isLowered(invoice) ? loweredRows(invoice, locale) : []),
    ...(invoice.vat_kind === 'small_business' ? [] : parts),
    [m.invoices_total({}, { locale }), invoice.total, true],
  ]
  const names = Math.ceil(
    write.widest(
      rows.map(([name]) => name),
      { bold: true },
    ) + 1,
  )
  const values = Math.ceil(
    write.widest(
      rows.map(([, value]) => moneyText(value, locale)),
      { bold: true },
    ) + 1,
  )
  return {
    margin: [PAGE_WIDTH - names - values - GAP, 12, 0, 24],
    unbreakable: true,
    table: {
      widths: [names, values],
      body: rows.map(([name, value, bold]) => [
        write(name, { width: names, bold }),
        write(moneyText(value, locale), { width: values, bold, alignment: 'right' }),
      ]),
    },
    layout: { ...ruled, hLineWidth: (index: number) => (index === rows.length - 1 ? 0.5 : 0) },
  }
}

/** The price of the lines, and what a gift takes off it. */
const loweredRows = ({ net, allowance }: Invoice, locale: Locale): [string, Invoice['net'], boolean][] => [
  [m.invoices_subtotal({}, { locale }), toMoney(amountOf(net) + amountOf(allowance), net.currency), false],
  [m.invoices_allowance({}, { locale }), toMoney(-amountOf(allowance), net.currency), false],
]

/** The rules between the rows of a table. */
export const ruled = {
  hLineWidth: (row: number) => (row === 0 ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => '#d5d9e0',
  paddingLeft: (column: number) => (column === 0 ? 0 : GAP),
  paddingRight: () => 0,
  paddingTop: () => 6,
  paddingBottom: () => 6,
}

/** The reason why a line costs less, and the amount. */
const reductionOf = ({ allowance }: Invoice['lines'][number], locale: Locale): string[] =>
  allowance
    ? [
        `${reductionText(allowance.reduction, locale)}: ${moneyText(toMoney(-amountOf(allowance.amount), allowance.amount.currency), locale)}`,
      ]
    : []

type Period = NonNullable<Invoice['lines'][number]['period']>

const periodText = ({ first_day, last_day }: Period, locale: Locale): string =>
  `${day(first_day, locale)} – ${day(last_day, locale)}`
