export { searchCustomers } from './search.ts'

import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { devicesOf, findUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import type { State } from '#features/customers/rules.ts'
import { pageOfHosts } from '#features/hosts/server/hosts.ts'
import { pageOfInvoices } from '#features/invoices/server/invoices.ts'
import { fullName } from '#features/profile/rules.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { blockOf } from './blocks.ts'
import { factorResetOf } from './factor-resets.ts'
import * as queries from './queries.ts'
import { searchCustomers, type Found } from './search.ts'

/** Answers `GET /api/staff/customers/`. A cursor holds its order, so that it cannot be used in another one. */
export const listCustomers = handler(contract.listCustomers, async ({ app, query }) => {
  const { cursor, limit, q, state, sort } = query
  const debt = query.debt === 'yes'
  const order = debt ? 'debt' : sort
  const [, place, id] = placeIn(cursor, [(part) => part === order, placeKinds.number, placeKinds.uuid]) ?? []
  const found = q === undefined ? undefined : await searchCustomers(app, q)
  if (found?.size === 0) return { status: 200, body: { items: [], next_cursor: null } }
  const rows = await queries.listCustomers(app.db, {
    ids: found && [...found.keys()],
    state,
    debt,
    sort,
    currency: app.config.currency,
    after: place === undefined || id === undefined ? undefined : { place, id },
    limit: limit + 1,
  })
  const page = pageFrom(
    rows,
    limit,
    (row) => [order, row.place, row.user_id],
    (row) => customerReply(app, row, found),
  )
  return { status: 200, body: page }
})

function customerReply(
  { config }: App,
  row: queries.CustomerRow,
  found: Found | undefined,
): contract.CustomerRow {
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
    matched: found?.get(id) ?? null,
  }
}

const stateOf = ({ access, is_proven }: queries.CustomerRow): State =>
  access === 'open' ? (is_proven ? 'active' : 'unconfirmed') : access

/** The customer of a call; 404 for a deleted account as for an unknown one. */
export async function customerOf(db: App['db'], user_id: string): Promise<queries.CustomerRow> {
  const row = await queries.findCustomer(db, user_id)
  if (!row) throw notFound()
  return row
}

/** Answers `GET …/account/`: how the customer signs in, without a token or a key. */
export const getCustomerAccount = handler(
  contract.getCustomerAccount,
  async ({ app, params: { userId } }) => {
    const row = await customerOf(app.db, userId)
    const [user, addresses, devices, block, factor_reset] = await Promise.all([
      findUser(app.db, userId),
      addressesOf(app.db, userId),
      transaction(app, 'system', (tx) => devicesOf(app, tx, userId)),
      blockOf(app, app.db, userId),
      factorResetOf(app, app.db, userId),
    ])
    const body: contract.CustomerAccount = {
      state: stateOf(row),
      block,
      factor_reset,
      created_at: row.created_at.toISOString(),
      last_login_at: row.last_login_at?.toISOString() ?? null,
      addresses: addresses.map(({ id, email, is_primary, verified }) => ({
        id: Number(id),
        email,
        primary: is_primary,
        proven: verified,
      })),
      two_factor: (user?.factors ?? []).filter((factor) => factor !== 'recovery_codes'),
      sessions: devices.map(({ id, ip, user_agent, created_at, written_at }) => ({
        id: Number(id),
        ip,
        user_agent,
        created_at: created_at.toISOString(),
        last_seen_at: written_at.toISOString(),
      })),
    }
    return { status: 200, body }
  },
)

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
    const items = page.items.map(({ id, name, ipv4, connected, licence, auto_renew, created_at }) => ({
      id,
      name,
      ipv4,
      connected,
      licence: licence.status,
      paid_until: licence.paid_until,
      auto_renew,
      created_at,
    }))
    return { status: 200, body: { items, next_cursor: page.next_cursor } }
  },
)

export const listCustomerInvoices = handler(
  contract.listCustomerInvoices,
  async ({ app, params: { userId }, query }) => {
    await customerOf(app.db, userId)
    return { status: 200, body: await pageOfInvoices(app.db, userId, query) }
  },
)
