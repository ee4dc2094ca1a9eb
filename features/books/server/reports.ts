import { customersAt, customersAtEnds, giftsAt } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { monthSums } from '#features/invoices/server/invoices.ts'
import { dueRenewals, monthlyChurn } from '#features/licences/server/licences.ts'
import * as contract from '#features/books/contract.ts'
import { MOST_MONTHS, monthAfter, monthsFrom } from '#features/books/rules.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'

/** Answers `GET /api/staff/books/revenue/`. */
export const revenue = handler(contract.getRevenue, async ({ app, query }) => {
  const { first_month, last_month, count } = monthsOf(app, query)
  const { timeZone: time_zone, currency } = app.config
  const rows = await monthSums(app.db, { first_month, count, time_zone, currency })
  const shown = rows.map(({ net, vat, ...row }) => ({
    ...row,
    net: toMoney(net, currency),
    vat: toMoney(vat, currency),
  }))
  return { status: 200, body: { first_month, last_month, rows: shown } }
})

/** Answers `GET /api/staff/books/liability/`. */
export const liability = handler(contract.getLiability, async ({ app, query }) => {
  const { currency } = app.config
  const at = query.at === undefined ? new Date() : new Date(query.at)
  const [present, months] = await Promise.all([
    customersAt(app.db, at, currency),
    customersAtEnds(app.db, { before: at, currency, limit: MOST_MONTHS }),
  ])
  const [given = 0n, ...giftsOfMonths] = await giftsAt(
    app.db,
    [at, ...months.map(({ until }) => until)],
    currency,
  )
  const owedReply = ({ owed, debts }: typeof present, gifts: bigint) => ({
    owed: toMoney(owed, currency),
    gifts: toMoney(gifts, currency),
    debts: toMoney(debts, currency),
  })
  return {
    status: 200,
    body: {
      at: at.toISOString(),
      ...owedReply(present, given),
      months: months.map((row, place) => ({
        month: row.month,
        ...owedReply(row, giftsOfMonths[place] ?? 0n),
      })),
    },
  }
})

/** Answers `GET /api/staff/books/renewals/`. */
export const renewals = handler(contract.getRenewals, async ({ app, query: { days } }) => {
  const { timeZone: time_zone, currency } = app.config
  const rows = await dueRenewals(app.db, { days, time_zone })
  const shown = rows.map(({ covered_total, uncovered_total, ...row }) => ({
    ...row,
    covered_total: toMoney(covered_total, currency),
    uncovered_total: toMoney(uncovered_total, currency),
  }))
  return { status: 200, body: { days: shown } }
})

/** Answers `GET /api/staff/books/churn/`. */
export const churn = handler(contract.getChurn, async ({ app, query }) => {
  const { first_month, last_month, count } = monthsOf(app, query)
  const rows = await monthlyChurn(app.db, { first_month, count, time_zone: app.config.timeZone })
  return { status: 200, body: { first_month, last_month, rows } }
})

/** Returns the months of a report, by default MOST_MONTHS up to this month. Throws 400 if the query asks for no month or too many. */
export function monthsOf(
  { config }: App,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) {
  const last_month = to ?? dayIn(new Date(), config.timeZone).slice(0, 7)
  const first_month = from ?? monthAfter(last_month, 1 - MOST_MONTHS)
  const count = monthsFrom(first_month, last_month)
  if (count < 1) throw badRequest('invalid', 'to')
  if (count > MOST_MONTHS) throw new HttpError(400, [{ code: 'period_too_long', param: 'from' }])
  return { first_month, last_month, count }
}
