import { readSearch } from '#features/customers/rules.ts'
import { idsFound } from '#features/customers/server/customers.ts'
import { findTransaction, transactionOfDocument } from '#features/finance/server/finance.ts'
import { dayIn, percentOf } from '#features/invoices/rules.ts'
import * as invoices from '#features/invoices/server/invoices.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/books/contract.ts'
import { MOST_MONTHS, monthsLater, nextDay } from '#features/books/rules.ts'
import { toMoney } from '#foundation/money.ts'
import type { ParsedOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { orderKinds } from '#foundation/server/database/order.ts'
import { HttpError, badRequest, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'

/** Answers `GET /api/staff/invoices/`. */
export const list = handler(contract.listAllInvoices, async ({ app, query }) => ({
  status: 200,
  body: await pageOfAllInvoices(app, query),
}))

type Filter = ParsedOf<typeof contract.sumInvoices>['query']

export async function pageOfAllInvoices(
  app: App,
  { limit, cursor, sort, ...filter }: ParsedOf<typeof contract.listAllInvoices>['query'],
) {
  const kinds = [...orderKinds(sort, placeKinds.number), placeKinds.number]
  const [, place, id] = placeIn(cursor, kinds) ?? []
  const after = place === undefined || id === undefined ? undefined : { place, id }
  const wanted = await wantedBy(app, filter)
  const { timeZone: time_zone } = app.config
  const rows = await invoices.listInvoices(app.db, wanted, { after, limit: limit + 1, time_zone, sort })
  return pageFrom(
    rows,
    limit,
    (row) => [sort, row.place, String(row.id)],
    (row) => listedReply(row, app.config.timeZone),
  )
}

/** Answers `GET /api/staff/invoices/totals/`. */
export const totals = handler(contract.sumInvoices, async ({ app, query }) => {
  const { timeZone: time_zone, currency } = app.config
  const { to = dayIn(new Date(), time_zone) } = query
  const { from = monthsLater(nextDay(to), -MOST_MONTHS) } = query
  const wanted = await wantedBy(app, { ...query, from, to })
  if (query.from !== undefined && monthsLater(from, MOST_MONTHS) < nextDay(to))
    throw new HttpError(400, [{ code: 'period_too_long', param: 'from' }])
  const { count, ...sums } = await invoices.invoiceTotals(app.db, wanted, { time_zone, currency })
  const money = (sum: bigint) => toMoney(sum, currency)
  return {
    status: 200,
    body: {
      first_day: from,
      last_day: to,
      count,
      net: money(sums.net),
      vat: money(sums.vat),
      total: money(sums.total),
    },
  }
})

/** Reads the search: the number of a document finds this document alone, any other text finds the documents of customers. */
async function wantedBy(
  app: App,
  { q, ...filter }: Filter,
): Promise<Parameters<typeof invoices.listInvoices>[1]> {
  const { from, to } = filter
  if (from !== undefined && to !== undefined && from > to) throw badRequest('invalid', 'to')
  if (q === undefined) return filter
  const meant = readSearch(q)
  if (meant.kind === 'invoice') return { ...filter, number: meant.text }
  return { ...filter, user_ids: await idsFound(app.db, q) }
}

const listedReply = (row: invoices.ListedInvoice, timeZone: string): contract.ListedInvoice => ({
  ...invoices.summaryReply(row, timeZone),
  customer_id: row.user_id,
  buyer: row.buyer,
  vat_kind: row.vat_kind,
  country: row.vat_country,
  vat_rate: percentOf(row.vat_rate_bp),
})

/** Answers `GET /api/staff/invoices/{publicId}/`. */
export const get = handler(contract.getAnyInvoice, async ({ app, params: { publicId } }) => {
  const user_id = await ownerOf(app, publicId)
  const invoice = await invoices.findInvoice(app, app.db, user_id, publicId)
  if (!invoice) throw notFound()
  const [names, chain] = await Promise.all([
    displayNames(app, app.db, [user_id]),
    invoices.chainOf(app.db, publicId),
  ])
  const shown = await Promise.all(
    chain.map(async ({ public_id, number, kind, cancels, issued_at, total, currency }) => ({
      id: public_id,
      number,
      kind,
      cancels,
      issued_at: issued_at.toISOString(),
      issued_on: dayIn(issued_at, app.config.timeZone),
      total: toMoney(total, currency),
      transaction: await transactionReply(app, user_id, public_id),
    })),
  )
  return { status: 200, body: { invoice, customer: names.of(user_id), chain: shown } }
})

/** Returns the transaction of a document; null if no money moved, as with a reissue that keeps the total. */
async function transactionReply({ db }: App, user_id: string, public_id: string) {
  const transaction_id = await transactionOfDocument(db, public_id)
  const found = transaction_id && (await findTransaction(db, user_id, transaction_id))
  if (!found) return null
  const { id, type, amount, created_at } = found
  return { id, type, amount, created_at }
}

export const pdf = handler(contract.getAnyPdf, async ({ app, params: { publicId: public_id }, reply }) =>
  invoices.sendDocument(app, reply, { user_id: await ownerOf(app, public_id), public_id }, { format: 'pdf' }),
)

export const xrechnung = handler(
  contract.getAnyXrechnung,
  async ({ app, params: { publicId: public_id }, reply }) =>
    invoices.sendDocument(
      app,
      reply,
      { user_id: await ownerOf(app, public_id), public_id },
      { format: 'xrechnung' },
    ),
)

async function ownerOf({ db }: App, public_id: string): Promise<string> {
  const user_id = await invoices.ownerOfInvoice(db, public_id)
  if (user_id === undefined) throw notFound()
  return user_id
}
