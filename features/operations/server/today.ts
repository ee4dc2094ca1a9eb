import { listApprovals } from '#features/approvals/contract.ts'
import { getRevenue } from '#features/books/contract.ts'
import { listCustomerHosts } from '#features/customers/contract.ts'
import { listTopUps } from '#features/finance/contract.ts'
import { countTransfers } from '#features/finance/server/finance.ts'
import { countOfflineHosts } from '#features/hosts/server/hosts.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { monthSums } from '#features/invoices/server/invoices.ts'
import * as contract from '#features/operations/contract.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { countIncoming } from '#features/support/desk/server/desk.ts'
import { countHeldMails } from '#features/support/server/support.ts'
import { countPoorRatings } from '#features/support/ratings/server/ratings.ts'
import { countRequested } from '#features/payouts/server/payouts.ts'
import { countForMember } from '#features/team/server/team.ts'
import { toMoney } from '#foundation/money.ts'
import { mayDo, type Permission } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'

/** Answers `GET /api/staff/today/`: each figure for those alone who may read the list that it counts. */
export const today = handler(contract.readToday, async ({ app, actor }) => {
  const { db, config } = app
  const month = dayIn(new Date(), config.timeZone).slice(0, 7)
  const figure = async <Value>(list: { access: { permission: Permission } }, read: () => Promise<Value>) =>
    mayDo(actor.staff_roles, list.access.permission) ? read() : null
  const [tickets, held_mails, transfers, payouts, approvals, servers, income] = await Promise.all([
    figure(listStaffTickets, () => ticketsOf(app, actor.user_id)),
    figure(listStaffTickets, () => countHeldMails(db)),
    figure(listTopUps, () => countTransfers(db)),
    figure(listTopUps, () => countRequested(db)),
    figure(listApprovals, () => countForMember(app, actor)),
    figure(listCustomerHosts, () => countOfflineHosts(db)),
    figure(getRevenue, () => incomeOf(app, month)),
  ])
  return {
    status: 200,
    body: {
      month,
      tickets,
      ...(held_mails !== null && held_mails > 0 && { held_mails }),
      transfers,
      ...(payouts !== null && payouts > 0 && { payouts }),
      approvals,
      servers,
      income,
    },
  }
})

/** Counts the tickets that wait, and the ratings that are news. */
async function ticketsOf({ db }: App, staff_id: string) {
  const [counts, poor] = await Promise.all([countIncoming(db, staff_id), countPoorRatings(db, staff_id)])
  return { ...counts, poor }
}

/** Returns the sum of the month's documents without VAT. */
async function incomeOf({ db, config: { timeZone: time_zone, currency } }: App, first_month: string) {
  const sums = await monthSums(db, { first_month, count: 1, time_zone, currency })
  return toMoney(
    sums.reduce((sum, { net }) => sum + net, 0n),
    currency,
  )
}
