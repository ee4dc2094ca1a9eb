import { Readable } from 'node:stream'
import { decimalText, toMoney } from '#foundation/money.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { Locale } from '#foundation/locale.ts'
import { UTF8_MARK, csvLine, textCell } from '#foundation/csv.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as m from '#texts/messages.js'
import { downloadTransactions } from '#features/finance/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { spanOf } from './transactions.ts'
import { transactionsOf, type TransactionRow } from './transactions-queries.ts'

/** Answers with all matching transactions as a CSV file, written page by page so that a long history does not fill the memory. */
export const download = handler(downloadTransactions, async ({ app, actor, query, reply }) => {
  const { user_id } = actor
  const locale = (await findUser(app.db, user_id))?.locale ?? 'en'
  const owner = { user_id, currency: app.config.currency }
  const filter = spanOf(query)
  const pageBefore = (before: string | undefined) =>
    transactionsOf(app.db, owner, filter, { before, limit: PAGE })
  // The first page is read before the answer begins, so that an error can still be reported.
  const first = await pageBefore(undefined)
  return sendCsv(reply, 'transactions.csv', Readable.from(fileOf(first, pageBefore, locale)))
})

const PAGE = 1000

async function* fileOf(
  first: TransactionRow[],
  pageBefore: (before: string) => Promise<TransactionRow[]>,
  locale: Locale,
): AsyncGenerator<string> {
  // Without the byte order mark, spreadsheets do not read the text as UTF-8.
  yield `${UTF8_MARK}${csvLine(headings(locale))}`
  for (let rows = first; ;) {
    yield rows.map((row) => csvLine(cellsOf(row, locale))).join('')
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    rows = await pageBefore(String(last.seq))
  }
}

const headings = (locale: Locale): string[] => [
  m.finance_csv_time({}, { locale }),
  m.finance_csv_type({}, { locale }),
  m.finance_csv_description({}, { locale }),
  m.finance_csv_amount({}, { locale }),
  m.finance_csv_balance({}, { locale }),
  m.finance_csv_currency({}, { locale }),
  m.finance_csv_document({}, { locale }),
  m.finance_csv_transaction({}, { locale }),
]

const cellsOf = (row: TransactionRow, locale: Locale): string[] => [
  row.created_at.toISOString(),
  movementText(row, locale),
  textCell(descriptionText(row.description, locale)),
  decimalText(toMoney(row.amount, row.currency)),
  decimalText(toMoney(row.balance_after, row.currency)),
  row.currency,
  row.invoice_id ?? '',
  row.id,
]
