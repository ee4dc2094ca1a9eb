import { vatBooked } from '#features/finance/server/finance.ts'
import { percentOf } from '#features/invoices/rules.ts'
import { vatSums, type VatSum } from '#features/invoices/server/invoices.ts'
import * as contract from '#features/books/contract.ts'
import { daysOf } from '#features/books/rules.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'

/** Answers `GET /api/staff/books/vat/`. */
export const getVat = handler(contract.getVatOfQuarter, async ({ app, query }) => ({
  status: 200,
  body: await vatOfQuarter(app, query.quarter),
}))

/** Returns the sums of a quarter's documents, and their VAT in the ledger. */
export async function vatOfQuarter(app: App, quarter: string): Promise<contract.VatOfQuarter> {
  const { timeZone: time_zone, currency } = app.config
  const { first_day, next_day } = daysOf(quarter)
  const span = { first_day, next_day, time_zone, currency }
  const [{ rows, is_over }, booked] = await Promise.all([vatSums(app.db, span), vatBooked(app.db, span)])
  const replyOf = ({ vat_rate_bp, net, vat, ...row }: VatSum) => ({
    ...row,
    vat_rate: percentOf(vat_rate_bp),
    net: toMoney(net, currency),
    vat: toMoney(vat, currency),
  })
  return {
    quarter,
    first_day,
    last_day: new Date(Date.parse(next_day) - 1).toISOString().slice(0, 10),
    is_over,
    sales: rows.filter((row) => row.corrected_quarter === null).map(replyOf),
    corrections: rows.filter((row) => row.corrected_quarter !== null).map(replyOf),
    vat: toMoney(
      rows.reduce((total, { vat }) => total + vat, 0n),
      currency,
    ),
    booked: toMoney(booked, currency),
  }
}
