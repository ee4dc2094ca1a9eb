import * as contract from '#features/books/contract.ts'
import { kindText } from '#features/books/texts.ts'
import type { Locale } from '#foundation/locale.ts'
import { decimalText } from '#foundation/money.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'
import { vatOfQuarter } from './vat-of-quarter.ts'

/** Answers `GET /api/staff/books/vat.csv`. */
export const downloadVat = handler(contract.downloadVatOfQuarter, async ({ app, actor, query, reply }) => {
  const locale = (await findUser(app.db, actor.user_id))?.locale ?? 'en'
  const report = await vatOfQuarter(app, query.quarter)
  return sendCsv(reply, `vat-${report.quarter}.csv`, vatFile(report, locale))
})

/** Returns the VAT of a quarter as CSV. */
export function vatFile(report: contract.VatOfQuarter, locale: Locale): string {
  const rows = [...report.sales, ...report.corrections]
  const lines = rows.map(({ corrected_quarter, vat_kind, country, vat_rate, vat_id, documents, net, vat }) =>
    csvLine([
      corrected_quarter ?? report.quarter,
      textCell(kindText(vat_kind, locale)),
      country,
      vat_rate,
      textCell(vat_id),
      String(documents),
      decimalText(net),
      decimalText(vat),
      net.currency,
    ]),
  )
  return csvFile(headings(locale), lines)
}

const headings = (locale: Locale): string[] => [
  m.books_quarter_of_invoices({}, { locale }),
  m.books_kind({}, { locale }),
  m.books_country({}, { locale }),
  m.books_rate({}, { locale }),
  m.books_vat_id({}, { locale }),
  m.books_documents({}, { locale }),
  m.books_net({}, { locale }),
  m.books_vat({}, { locale }),
  m.books_currency({}, { locale }),
]
