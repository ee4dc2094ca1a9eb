import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { dateLocale } from '#foundation/date-locale.ts'
import { descriptionText } from '#features/finance/texts.ts'
import { moneyText, type Money } from '#foundation/money.ts'
import type { Locale } from '#foundation/locale.ts'
import { m } from '#texts/messages.js'
import type { StatementInput } from './document-input.ts'
import type { Face } from './fonts.ts'
import { ink, PAGE_WIDTH, type Ink } from './ink.ts'
import { frameOf, head } from './layout.ts'
import { ruled } from './layout-lines.ts'

const WIDTHS = [58, 187, 86, 55, 55] as const

/** Returns the statement of a month as input for pdfmake, in the customer's language. */
export function statementPage(paper: StatementInput, faces: readonly Face[]): TDocumentDefinitions {
  const { statement, holder, locale, operator, signed } = paper
  const write = ink(faces)
  const said = { locale }
  const title = m.invoices_statement_of({ month: monthText(statement.month, locale) }, said)
  const row = (texts: readonly string[], label = false, bold = false) =>
    texts.map((text, column) =>
      write(text, {
        width: WIDTHS[column] ?? 0,
        size: 8,
        bold,
        label,
        alignment: column > 2 ? 'right' : 'left',
      }),
    )
  const balance = (text: string, amount: Money) =>
    row(['', text, '', '', moneyText(amount, locale)], false, true)
  const frame = frameOf({ title, locale, footer: `${operator.name} · ${title}` }, write)
  // A signed statement is drawn to the same bytes each time.
  const creationDate = signed && { creationDate: new Date(signed.issued_at) }
  return {
    ...frame,
    info: { ...frame.info, ...creationDate },
    content: [
      head(operator, write),
      write(title, { width: PAGE_WIDTH, size: 18, bold: true, margin: [0, 28, 0, 8] }),
      write(holder, { width: PAGE_WIDTH, margin: [0, 0, 0, 16] }),
      {
        table: {
          headerRows: 1,
          dontBreakRows: true,
          widths: [...WIDTHS],
          body: [
            row(
              [
                m.invoices_statement_day({}, said),
                m.invoices_description({}, said),
                m.invoices_statement_document({}, said),
                m.invoices_statement_amount({}, said),
                m.invoices_statement_balance({}, said),
              ],
              true,
            ),
            balance(m.invoices_statement_opening({}, said), statement.opening),
            ...statement.rows.map(({ day, number, transaction: { description, amount, balance_after } }) =>
              row([
                dayText(day, locale),
                descriptionText(description, locale),
                number ?? '',
                moneyText(amount, locale),
                moneyText(balance_after, locale),
              ]),
            ),
            balance(m.invoices_statement_closing({}, said), statement.closing),
          ],
        },
        layout: { ...ruled, paddingLeft: (column: number) => (column === 0 ? 0 : 10) },
      },
      ...signature(paper, write),
    ],
  }
}

/** The words below a signed statement: its fingerprint, and the page that checks it. */
function signature({ signed, locale }: StatementInput, write: Ink): Content[] {
  if (!signed) return []
  const text = m.invoices_statement_signed({ url: signed.check_url }, { locale })
  return [
    write(text, { width: PAGE_WIDTH, margin: [0, 20, 0, 4] }),
    write(`SHA-256 ${signed.hash}`, { width: PAGE_WIDTH, size: 8, label: true }),
  ]
}

const monthText = (month: string, locale: Locale): string =>
  new Intl.DateTimeFormat(dateLocale(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-15T12:00:00Z`),
  )

const dayText = (day: string, locale: Locale): string =>
  new Intl.DateTimeFormat(dateLocale(locale), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
