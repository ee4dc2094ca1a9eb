import { readSearch } from '#features/customers/rules.ts'
import { searchCustomers } from '#features/customers/server/customers.ts'
import { movementsInOrder, type MovementRow } from '#features/finance/server/finance.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/books/contract.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { orderKinds } from '#foundation/server/database/order.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'

/** Answers `GET /api/staff/transactions/`. */
export const listTransactions = handler(contract.listAllTransactions, async ({ app, query }) => {
  const { limit, cursor, sort, q, type, from, to } = query
  if (from !== undefined && to !== undefined && from > to) throw badRequest('invalid', 'to')
  const kinds = [...orderKinds(sort, placeKinds.number), placeKinds.uuid]
  const [, place, id] = placeIn(cursor, kinds) ?? []
  const after = place !== undefined && id !== undefined ? ([place, id] as const) : undefined
  const { currency, timeZone: time_zone } = app.config
  const filter = { ...(await meantBy(app, q)), type, from, to }
  const rows = await movementsInOrder(
    app.db,
    filter,
    { currency, time_zone },
    { after, limit: limit + 1, sort },
  )
  const page = pageFrom(
    rows,
    limit,
    (row) => [sort, row.place, row.id],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await repliesOf(app, page.items) } }
})

/** The most customers whose transactions a search lists. */
const MOST_PEOPLE = 50

/** Reads the search: the id of a transaction, as in the files for bookkeepers, finds it alone; any other text finds customers. */
async function meantBy(app: App, q: string | undefined): Promise<{ id?: string; people?: string[] }> {
  if (q === undefined) return {}
  const meant = readSearch(q)
  if (meant.kind === 'account') {
    const { currency, timeZone: time_zone } = app.config
    const one = { after: undefined, limit: 1, sort: 'newest' as const }
    const named = await movementsInOrder(app.db, { id: meant.text }, { currency, time_zone }, one)
    if (named.length > 0) return { id: meant.text }
  }
  return { people: [...(await searchCustomers(app, q)).keys()].slice(0, MOST_PEOPLE) }
}

async function repliesOf(app: App, rows: readonly MovementRow[]): Promise<contract.ListedTransaction[]> {
  const { currency } = app.config
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
  return rows.map(({ id, type, description, invoice_id, host_id, reference, user_id, ...row }) => ({
    id,
    type,
    amount: toMoney(row.amount, currency),
    balance_after: toMoney(row.balance_after, currency),
    created_at: row.created_at.toISOString(),
    description,
    invoice_id,
    host_id,
    reference,
    customer: names.of(user_id),
  }))
}
