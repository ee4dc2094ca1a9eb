export { accountReply } from './account.ts'
export { mergedInto } from './merge-queries.ts'
export * as byCommand from './by-command.ts'
export { resetNow } from './factor-resets.ts'
export { eraseByCommand } from './erase.ts'
export { exportByCommand } from './export-data.ts'
export { searchCustomers } from './search.ts'
export { ownersOfHosts, pageOfAnyHosts } from './all-hosts.ts'
export { pageOfMails, sendAgainByCommand } from './past-mails.ts'

import { toMoney } from '#foundation/money.ts'
import { roles, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { placeInParts } from '#foundation/server/paging/in-parts.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/customers/contract.ts'
import { pageOfHosts } from '#features/hosts/server/hosts.ts'
import { pageOfInvoices } from '#features/invoices/server/invoices.ts'
import { fullName } from '#features/profile/rules.ts'
import { customerHostReply } from './all-hosts.ts'
import { customerOf, stateOf } from './customer-of.ts'
import { agesOfDebts } from './debts.ts'
import { everyone, idsOfCustomers } from './everyone-queries.ts'
import { listCustomers as customersIn, showsMost } from './list-queries.ts'
import { readSearch, sortOf, type CustomerFilter } from '#features/customers/rules.ts'
import type { CustomerRow } from './queries.ts'
import { searchCustomers, wordsIn, type Found, type Words } from './search.ts'

/** Answers `GET /api/staff/customers/`. A cursor holds the order of its list, so that it cannot be used in a list of another order. */
export const listCustomers = handler(contract.listCustomers, async ({ app, actor, query }) => {
  const { cursor, limit, q, state } = query
  const debt = query.debt === 'yes'
  const sort = sortOf(query.sort, debt)
  const order = debt ? `debt ${sort}` : sort
  const { words, found } =
    q === undefined ? {} : await searched(app, q, actor.staff_roles, showsMost({ state, debt }))
  if (found?.size === 0) return { status: 200, body: { items: [], next_cursor: null } }
  const rows = await customersIn(app.db, {
    ids: found && [...found.keys()],
    words,
    state,
    debt,
    sort,
    currency: app.config.currency,
    after: placeInParts(cursor, order, placeKinds.number, placeKinds.uuid),
    limit: limit + 1,
  })
  const page = pageFrom(
    rows,
    limit,
    (row) => [order, String(row.part), row.place, row.user_id],
    (row) => customerReply(app, row, found),
  )
  if (!debt) return { status: 200, body: page }
  const ids = page.items.map((customer) => customer.id)
  const ages = await agesOfDebts(app, ids)
  const items = page.items.map((customer) => ({ ...customer, owes: ages.get(customer.id) ?? null }))
  return { status: 200, body: { ...page, items } }
})

function customerReply({ config }: App, row: CustomerRow, found: Found | undefined): contract.CustomerRow {
  const { user_id: id, email, company, country, is_staff, hosts, open_tickets } = row
  return {
    id,
    name: fullName(row),
    company,
    email,
    country,
    state: stateOf(row),
    is_staff,
    balance: toMoney(BigInt(row.balance ?? 0), config.currency),
    hosts,
    open_tickets,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
    matched: found?.get(id) ?? row.matched,
  }
}

/** Returns the words that the query of the list finds itself, or the customers that any other text has found. */
async function searched(
  app: App,
  q: string,
  readers: readonly Role[],
  isDense: boolean,
): Promise<{ words?: Words; found?: Found }> {
  const words = await wordsIn(app, q, isDense)
  return words ? { words } : { found: await searchCustomers(app, q, readers) }
}

/** A statement for the ids of all customers that a filter finds, as part of another statement. A search finds no one by an IBAN. */
export async function customersOf({ config }: App, db: App['db'], { q, state, debt }: CustomerFilter) {
  const found = q === undefined ? undefined : await everyoneFound(db, q)
  return idsOfCustomers({ found, state, debt: debt === 'yes', currency: config.currency })
}

async function everyoneFound(db: App['db'], q: string) {
  const meant = readSearch(q)
  if (meant.kind === 'email') return everyone.withAddress(meant.text)
  if (meant.kind === 'address') return everyone.at(meant.text)
  if (meant.kind === 'vat_id') return everyone.withVatId(meant.text)
  const words = await wordsIn({ db }, q, true)
  return words ? everyone.withWords(words) : everyone.of((await searchCustomers({ db }, q)).keys())
}

/** The ids of all customers whom a text finds, however many: for sums, which a limit would make wrong. It finds nobody by an IBAN. */
export async function idsFound(db: App['db'], q: string): Promise<string[]> {
  return (await (await everyoneFound(db, q)).execute(db)).rows.map(({ user_id }) => user_id)
}

/** The customers that a text finds, the newest first, for the command line, which may read all. */
export async function findCustomers(app: App, q: string, limit: number): Promise<contract.CustomerRow[]> {
  const { words, found } = await searched(app, q, roles, true)
  const ids = found && [...found.keys()]
  const { currency } = app.config
  const wanted = { ids, words, debt: false, sort: 'created_at' as const, currency, limit }
  return (await customersIn(app.db, wanted)).map((row) => customerReply(app, row, found))
}

export const listCustomerHosts = handler(
  contract.listCustomerHosts,
  async ({ app, params: { userId }, query }) => {
    await customerOf(app.db, userId)
    const page = await pageOfHosts(app.db, userId, {
      ...query,
      sort: 'created_at',
      direction: undefined,
      licence: undefined,
      connected: undefined,
    })
    return { status: 200, body: { items: page.items.map(customerHostReply), next_cursor: page.next_cursor } }
  },
)

export const listCustomerInvoices = handler(
  contract.listCustomerInvoices,
  async ({ app, params: { userId }, query }) => {
    await customerOf(app.db, userId)
    return { status: 200, body: await pageOfInvoices(app, app.db, userId, query) }
  },
)
