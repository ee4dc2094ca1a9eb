import type { SpendingPart } from '#features/finance/rules.ts'
import { everNamedHosts, hostsById } from '#features/hosts/server/hosts.ts'
import { leftOfSale, sharesOf, type Amounts } from '#features/invoices/server/invoices.ts'
import { findTransaction } from '#features/finance/server/finance.ts'
import * as contract from '#features/sales/contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { months as monthsOf } from '#features/licences/rules.ts'
import { shareOfPrice } from '#features/sales/rules.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, notFound } from '#foundation/server/http/http-error.ts'
import { onceNetOf, ordersPaidBy, type OrderOfPayment } from '#features/licences/server/licences.ts'

/** Answers `GET /api/staff/customers/{userId}/transactions/{id}/servers/`. */
export const listPaidServers = handler(contract.listPaidServers, async ({ app, params }) => {
  const transaction_id = params.id
  // A transaction of another customer is answered like a missing one (rule 4).
  if (!(await findTransaction(app.db, params.userId, transaction_id))) throw notFound()
  const parts = await partsOfSpending(app.db, { user_id: params.userId, transaction_id })
  const { currency } = app.config
  const nextOwners = await nextOwnersOf(app, transaction_id)
  const items = parts.map(({ order_id, host_id, host, plan, months, total, left, ...ofTime }) => ({
    order_id,
    host: { id: host_id, name: host },
    plan,
    months,
    total: toMoney(total, currency),
    left: toMoney(left.total, currency),
    total_of_time: toMoney(ofTime.total_of_time, currency),
    left_of_time: toMoney(ofTime.left_of_time, currency),
    next_owner: nextOwners.get(order_id) ?? null,
  }))
  return { status: 200, body: { items } }
})

type NextOwner = { id: string; name: string; until: string }

/** Returns by order the account that has the rest of its paid time by now, for the orders whose server has another owner since. */
async function nextOwnersOf(app: App, transaction_id: string): Promise<Map<string, NextOwner>> {
  const orders = await ordersPaidBy(app.db, transaction_id)
  const ids = orders.map(({ host_id }) => host_id)
  const owners = new Map((await hostsById(app.db, ids)).map(({ id, user_id }) => [id, user_id]))
  const names = await displayNames(app, app.db, [...owners.values()])
  return new Map(
    orders.flatMap(({ id, host_id, owner_id, ends_at }): [string, NextOwner][] => {
      const owner = owners.get(host_id)
      if (!owner || owner === owner_id || ends_at === null) return []
      return [[id, { ...names.of(owner), until: ends_at.toISOString() }]]
    }),
  )
}

/**
 * Returns the rest of each of the orders that a transaction has paid, which can still be refunded; `left` is the rest of its sale. The net
 * of a part is the value of the order's period; the VAT of a part is its share of the VAT that credit notes have left of the newest invoice.
 * So the parts add up to the rest of the transaction, to the minor unit. Empty if the transaction paid no order.
 */
export async function partsOf(
  db: App['db'],
  orders: readonly OrderOfPayment[],
  left: Amounts | undefined,
): Promise<SpendingPart[]> {
  if (!left || orders.length === 0) return []
  const nets = orders.map(({ net }) => net)
  const shares = orders.length === 1 ? [left] : sharesOf(nets, left.vat)
  const hosts = await everNamedHosts(
    db,
    orders.map(({ host_id }) => host_id),
  )
  return orders.map((order, place) => {
    const { id: order_id, host_id, plan_name: plan, kind, term, total } = order
    const { public_id, name } = must(hosts.get(host_id))
    const share = must(shares[place])
    return {
      order_id,
      host_id: public_id,
      host: name,
      plan,
      months: kind === 'upgrade' ? null : monthsOf[term],
      total,
      left: share,
      total_of_time: total - shareOfPrice(total, onceNetOf(order.extras), order.ordered_net),
      left_of_time: share.total - shareOfPrice(share.total, order.once_net, order.net),
    }
  })
}

type Spending = { user_id: string; transaction_id: string }

/** Returns the parts of a spending of this buyer, as they are now. */
export async function partsOfSpending(db: App['db'], spending: Spending): Promise<SpendingPart[]> {
  const orders = await ordersPaidBy(db, spending.transaction_id)
  return orders.length === 0 ? [] : partsOf(db, orders, await leftOfSale(db, spending))
}

/**
 * Returns the part of a spending that a refund gives back; undefined for a refund of the whole, as of a spending for one order. `left` is
 * the rest of the whole spending (minor units). Throws 404 for an order that the spending has not paid, 400 `required` about `order_id`
 * for a refund that names no order and is less than the rest of a spending for several orders.
 */
export function partIn(
  parts: readonly SpendingPart[],
  { part, amount }: { part?: { order_id: string } | SpendingPart | undefined; amount?: bigint | undefined },
  left: bigint,
): SpendingPart | undefined {
  const found = part && parts.find(({ order_id }) => order_id === part.order_id)
  if (part && !found) throw notFound()
  if (parts.length < 2) return undefined
  if (part && 'left' in part) return part
  if (!part && (amount ?? left) !== left) throw badRequest('required', 'order_id')
  return found
}

/** The part of one order; undefined if its transaction has paid no other order. */
export async function partOfOrder(
  db: App['db'],
  { order_id, ...spending }: Spending & { order_id: string },
): Promise<SpendingPart | undefined> {
  const parts = await partsOfSpending(db, spending)
  return parts.length > 1 ? parts.find((part) => part.order_id === order_id) : undefined
}
