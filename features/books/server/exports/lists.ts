import { movementsAfter, type MovementRow } from '#features/finance/server/finance.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { percentOf } from '#features/invoices/rules.ts'
import { documentsAfter, type DocumentRow } from '#features/invoices/server/invoices.ts'
import { documentText } from '#features/invoices/texts.ts'
import { kindText } from '#features/books/texts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Locale } from '#foundation/locale.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { nextDay } from '#features/books/rules.ts'
import type { App } from '#foundation/server/app.ts'
import { UTF8_MARK, csvLine, textCell } from '#foundation/csv.ts'
import * as m from '#texts/messages.js'
import { encodedText, paged, type Outcome, type Wanted } from './wanted.ts'

export const AT_ONCE = 1_000

export type Page = readonly (readonly string[])[]

/** Yields a list for spreadsheets as CSV: its headings, and then its rows page by page. */
export async function* listFile(
  headings: readonly string[],
  pages: AsyncIterable<Page>,
  outcome: Outcome,
): AsyncGenerator<Uint8Array> {
  // Without this byte order mark spreadsheets do not read the text as UTF-8.
  yield encodedText(`${UTF8_MARK}${csvLine(headings)}`)
  for await (const rows of pages) {
    outcome.rows += rows.length
    yield encodedText(rows.map((cells) => csvLine(cells)).join(''))
  }
}

export const spanOf = ({ config }: App, { first_day, last_day }: Wanted) => ({
  first_day,
  next_day: nextDay(last_day),
  time_zone: config.timeZone,
  currency: config.currency,
})

export const documentHeadings = (locale: Locale): string[] => [
  m.books_number({}, { locale }),
  m.books_document({}, { locale }),
  m.books_issued({}, { locale }),
  m.books_buyer({}, { locale }),
  m.books_vat_id({}, { locale }),
  m.books_kind({}, { locale }),
  m.books_country({}, { locale }),
  m.books_rate({}, { locale }),
  m.books_net({}, { locale }),
  m.books_vat({}, { locale }),
  m.books_total({}, { locale }),
  m.books_gift({}, { locale }),
  m.books_currency({}, { locale }),
  m.books_service_from({}, { locale }),
  m.books_service_to({}, { locale }),
  m.books_corrects({}, { locale }),
  m.books_place({}, { locale }),
]

/** Returns the cells of a document in the order of `documentHeadings`; the amounts of a credit note are below zero. */
export function documentCells(row: DocumentRow, locale: Locale): string[] {
  const sign = row.kind === 'invoice' ? 1n : -1n
  const amount = (minor: bigint) => decimalText(toMoney(sign * minor, row.currency))
  return [
    row.number,
    documentText(row, locale),
    row.day,
    textCell(row.buyer),
    textCell(row.buyer_vat_id),
    textCell(kindText(row.vat_kind, locale)),
    row.vat_country,
    percentOf(row.vat_rate_bp),
    amount(row.net),
    amount(row.vat),
    amount(row.total),
    amount(row.gift),
    row.currency,
    row.service?.first_day ?? '',
    row.service?.last_day ?? '',
    row.corrects ?? '',
    evidenceText(row),
  ]
}

/** The evidence of the buyer's place in words of the contract, for an audit: 'CH; payments: DE; network: CH; doubted: DE'. */
const evidenceText = ({ place_evidence: place }: DocumentRow): string =>
  place === null
    ? ''
    : [
        place.claimed,
        ...(place.payments.length > 0 ? [`payments: ${place.payments.join(' ')}`] : []),
        ...(place.network === null ? [] : [`network: ${place.network}`]),
        place.basis === 'doubted' ? `doubted: ${place.charged}` : place.basis,
      ].join('; ')

export function invoicesFile(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<Uint8Array> {
  async function* pages(): AsyncGenerator<Page> {
    for await (const rows of paged(AT_ONCE, (after: DocumentRow | undefined, limit) =>
      documentsAfter(app.db, spanOf(app, wanted), { after, limit }),
    ))
      yield rows.map((row) => documentCells(row, wanted.locale))
  }
  return listFile(documentHeadings(wanted.locale), pages(), outcome)
}

export function transactionsFile(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<Uint8Array> {
  const { locale } = wanted
  async function* pages(): AsyncGenerator<Page> {
    for await (const rows of paged(AT_ONCE, (after: MovementRow | undefined, limit) =>
      movementsAfter(app.db, spanOf(app, wanted), { after, limit, sales: true }),
    )) {
      const names = await displayNames(
        app,
        app.db,
        rows.map(({ user_id }) => user_id),
      )
      yield rows.map((row) => [
        row.created_at.toISOString(),
        movementText(row, locale),
        textCell(descriptionText(row.description, locale)),
        textCell(names.of(row.user_id).name),
        row.user_id,
        decimalText(toMoney(row.amount, app.config.currency)),
        decimalText(toMoney(row.gift, app.config.currency)),
        decimalText(toMoney(row.balance_after, app.config.currency)),
        app.config.currency,
        row.reference ?? '',
        row.invoice_id ?? '',
        row.id,
      ])
    }
  }
  return listFile(transactionHeadings(locale), pages(), outcome)
}

const transactionHeadings = (locale: Locale): string[] => [
  m.finance_csv_time({}, { locale }),
  m.finance_csv_type({}, { locale }),
  m.finance_csv_description({}, { locale }),
  m.books_customer({}, { locale }),
  m.books_customer_id({}, { locale }),
  m.finance_csv_amount({}, { locale }),
  m.books_of_it_gift({}, { locale }),
  m.finance_csv_balance({}, { locale }),
  m.finance_csv_currency({}, { locale }),
  m.books_reference({}, { locale }),
  m.finance_csv_document({}, { locale }),
  m.finance_csv_transaction({}, { locale }),
]
