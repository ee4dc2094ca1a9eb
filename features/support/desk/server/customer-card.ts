import { toMoney } from '#foundation/money.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { hostSummary, newestHosts } from '#features/hosts/server/hosts.ts'
import { fullName } from '#features/profile/rules.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import * as contract from '#features/support/desk/contract.ts'
import { latestTickets } from '#features/support/tickets/server/tickets.ts'

const SHOWN = 10

/** The staff's view of a customer beside the conversation; 404 for a deleted account as for an unknown one. */
export const getCustomer = handler(contract.getCustomer, async ({ app, actor, params }) => {
  const { userId } = params
  const [user, profile, balance, hosts, tickets] = await Promise.all([
    findUser(app.db, userId),
    billingDetails(app.db, userId),
    balanceOf(app, app.db, userId),
    newestHosts(app.db, userId, SHOWN + 1),
    latestTickets(app, app.db, userId, actor, SHOWN + 1),
  ])
  if (!user?.is_active || !profile) throw notFound()
  const body: contract.CustomerCard = {
    id: userId,
    name: fullName(profile),
    email: user.email,
    language: user.locale,
    is_staff: user.is_staff,
    access: user.access,
    company: profile.company,
    city: profile.city,
    country: profile.country,
    customer_since: profile.created_at.toISOString(),
    balance: toMoney(balance, app.config.currency),
    hosts: firstOf(hosts, hostSummary),
    tickets: firstOf(tickets, ({ id, number, subject, status, last_message_at }) => ({
      id,
      number,
      subject,
      status,
      last_message_at,
    })),
  }
  return { status: 200, body }
})

const firstOf = <From, To>(all: readonly From[], show: (one: From) => To) => ({
  items: all.slice(0, SHOWN).map(show),
  more: all.length > SHOWN,
})
