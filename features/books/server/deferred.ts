import * as contract from '#features/books/contract.ts'
import { deferredIncome } from '#features/invoices/server/invoices.ts'
import { documentText } from '#features/invoices/texts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'
import { monthsOf } from './reports.ts'

/** Answers `GET /api/staff/books/deferred/`. */
export const deferred = handler(contract.getDeferred, async ({ app, query }) => {
  const { first_month, last_month, count } = monthsOf(app, query)
  const { timeZone: time_zone, currency } = app.config
  const documents = await deferredIncome(app.db, { first_month, count, time_zone, currency })
  const rows = [...Map.groupBy(documents, ({ month }) => month)].map(([month, its]) => ({
    month,
    documents: its.length,
    deferred: toMoney(
      its.reduce((sum, one) => sum + one.deferred, 0n),
      currency,
    ),
  }))
  return { status: 200, body: { first_month, last_month, rows } }
})

/** Answers `GET /api/staff/books/deferred.csv`. */
export const downloadDeferred = handler(
  contract.downloadDeferred,
  async ({ app, actor, query: { month }, reply }) => {
    const locale = (await findUser(app.db, actor.user_id))?.locale ?? 'en'
    const said = { locale }
    const { timeZone: time_zone, currency } = app.config
    const rows = await deferredIncome(app.db, { first_month: month, count: 1, time_zone, currency })
    const ids = rows.map(({ user_id }) => user_id)
    const names = await displayNames(app, app.db, ids)
    const head = [
      m.books_number({}, said),
      m.books_document({}, said),
      m.books_issued({}, said),
      m.books_customer({}, said),
      m.books_customer_id({}, said),
      m.books_service_from({}, said),
      m.books_service_to({}, said),
      m.books_net({}, said),
      m.books_deferred({}, said),
      m.books_currency({}, said),
    ]
    const lines = rows.map((row) =>
      csvLine([
        row.number,
        documentText({ kind: row.kind, cancels: false }, locale),
        row.day,
        textCell(names.of(row.user_id).name),
        row.user_id,
        row.first_day,
        row.last_day,
        decimalText(toMoney(row.net, currency)),
        decimalText(toMoney(row.deferred, currency)),
        currency,
      ]),
    )
    return sendCsv(reply, `deferred-${month}.csv`, csvFile(head, lines))
  },
)
