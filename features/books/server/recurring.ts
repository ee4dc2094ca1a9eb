import type * as z from 'zod/mini'
import type { months } from '#features/books/contract.ts'
import * as contract from '#features/books/recurring-contract.ts'
import { allPlans, recurringRevenue } from '#features/licences/server/licences.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { monthsOf } from './reports.ts'

const MOST_CUSTOMERS = 20

/** Answers `GET /api/staff/books/recurring/`. */
export const recurring = handler(contract.getRecurring, async ({ app, query }) => {
  return { status: 200, body: await recurringOf(app, query) }
})

/** The report of recurring revenue. Throws 400 as `monthsOf` does. */
export async function recurringOf(app: App, query: z.infer<typeof months>): Promise<contract.Recurring> {
  const { first_month, last_month, count } = monthsOf(app, query)
  const { timeZone: time_zone, currency } = app.config
  const span = { first_month, count, time_zone, currency, most_customers: MOST_CUSTOMERS }
  const [rows, plans] = await Promise.all([recurringRevenue(app.db, span), allPlans(app.db)])
  const money = (amount: bigint) => toMoney(amount, currency)
  const of = (part: string) => rows.filter((row) => row.part === part)
  const best = of('customer')
  const names = await displayNames(
    app,
    app.db,
    best.map(({ key }) => key),
  )
  return {
    first_month,
    last_month,
    months: of('month').map(({ key: month, licences, mrr, customers, joined, returned, lost, is_final }) => ({
      month,
      licences,
      mrr: money(mrr),
      yearly: money(mrr * 12n),
      customers,
      joined,
      returned,
      lost,
      is_final,
    })),
    plans: of('plan').map(({ key: plan, licences, customers, mrr }) => {
      const { name, term } = must(plans.find(({ slug }) => slug === plan))
      return { plan, name, term, licences, customers, mrr: money(mrr) }
    }),
    best: best.map(({ key, licences, mrr }) => ({ customer: names.of(key), licences, mrr: money(mrr) })),
  }
}
