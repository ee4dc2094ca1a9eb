import {
  amountMissing,
  announceTopUp,
  cancelPayment,
  post,
  transferAnnounced,
} from '#features/finance/server/finance.ts'
import { findHost } from '#features/hosts/server/hosts.ts'
import { accept, requireTerms } from '#features/legal/server/legal.ts'
import { countingTries, findPlan } from '#features/licences/server/licences.ts'
import * as contract from '#features/sales/checkouts.ts'
import { checkoutHours } from '#features/sales/rules.ts'
import { isSameMoney, toMoney, type Money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { Acting } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { assertComplete as assertBulkComplete } from './bulk.ts'
import { shownServers } from './bulk-servers.ts'
import { checkoutActs, helperOf, type Ordered } from './checkout-acts.ts'
import * as queries from './checkout-queries.ts'
import { checkoutReply } from './checkout-reply.ts'
import { assertMayContinue, methodFor, payCheckout } from './checkout-payment.ts'
import { recordCheckout } from './record-checkout.ts'
import { stopCharge } from './stop-charge-kind.ts'

type Wished = Call<typeof contract.createCheckout>['body']

// More than anybody pays side by side; each bank transfer sends a mail.
const MOST_OPEN = 20

/**
 * Answers `POST /api/finances/checkouts/` (decision 187). As with a top-up, the checkout is committed before the provider is called; a client
 * interrupted between the two repeats the request with the same key, and gets the same checkout.
 */
export const createCheckout = handler(contract.createCheckout, async (call) => {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  assertComplete(body)
  const reply = await countingTries(app, user_id, body.promo, () =>
    withIdempotencyKey(contract.createCheckout, call, async (tx) => {
      // The owner accepts the terms, and never a helper.
      const version = app.acting ? undefined : body.terms
      await accept(app, tx, { user_id, caller, version, context: 'order' })
      await requireTerms(app, tx, user_id)
      return { status: 201, body: await beginCheckout(app, tx, user_id, body) } as const
    }),
  )
  return reply.status === 201 ? { status: 201, body: await payCheckout(app, user_id, reply.body) } : reply
})

/**
 * Stores a checkout with its payment, which the caller begins after the commit. Throws what its order would throw, 409 `balance_suffices`,
 * `payment_changed`, `too_many_checkouts`, and as `announceTopUp` does.
 */
export async function beginCheckout(
  app: App,
  tx: Tx,
  user_id: string,
  body: Wished,
): Promise<contract.Checkout> {
  const { for: purpose } = body
  const method = await methodFor(app, tx, user_id, body)
  const provider = method?.provider ?? must(body.provider)
  await lockByName(tx, `checkouts:${user_id}`)
  if ((await queries.countOpenCheckouts(tx, user_id)) >= MOST_OPEN)
    throw new HttpError(409, [{ code: 'too_many_checkouts' }])
  const ordered = await orderOf(app, tx, user_id, body)
  const { amount, acting, cost } =
    body.amount === undefined
      ? await missingFor(app, tx, ordered, purpose)
      : { amount: BigInt(body.amount), cost: 0n }
  const due = toMoney(amount, app.config.currency)
  if (body.expected_payment && !isSameMoney(body.expected_payment, due))
    throw new HttpError(409, [{ code: 'payment_changed' }])
  const topUp = await announceTopUp(app, tx, {
    user_id,
    provider,
    amount,
    for_checkout: true,
    method_id: method?.id ?? null,
  })
  if (provider === 'bank') await transferAnnounced(app, tx, topUp)
  // The charge follows the commit, long before its order (decision 231).
  const counted = method && (await acting?.count(tx, cost > amount ? cost : amount))
  await app.acting?.note(tx, 'topped_up', { amount })
  const { params, host, expected_total } = ordered
  const total = purpose === 'top_up' ? amount : BigInt(expected_total.amount)
  const person_id = app.acting?.person_id ?? null
  const { id: top_up_id, public_id, currency } = topUp
  const row = { top_up_id, public_id, currency, user_id, purpose, params, total, host, person_id, counted }
  await queries.insertCheckout(tx, row, checkoutHours(method?.kind === 'sepa_debit' ? 'bank' : provider))
  const checkout = must(await queries.checkoutOf(tx, user_id, public_id))
  recordCheckout(app, tx, checkout)
  return checkoutReply(app, tx, checkout)
}

/**
 * Returns what the balance lacks for an order, at least the smallest amount that is taken, with the helper who orders and what they spend. The
 * whole order is done and undone, so that it is refused now for all for which it would be refused. Throws 409 `balance_suffices` if nothing lacks.
 */
async function missingFor(app: App, tx: Tx, ordered: Ordered, purpose: Wished['for']) {
  const { user_id, host } = ordered
  let cost = 0n
  const acting = app.acting && (await helperOf(app, tx, { user_id, person_id: app.acting.person_id, host }))
  const spend: Acting['spend'] = async (of, amount) => {
    cost += amount
    await acting?.spend(of, amount)
  }
  const description = { code: 'top_up', params: { provider: 'bank' } } as const
  const missing = await amountMissing(
    tx,
    user_id,
    (amount) => post(app, tx, { type: 'fill_balance', user_id, amount, provider: 'bank', description }),
    () => checkoutActs[purpose]({ ...app, acting: acting && { ...acting, spend } }, tx, ordered),
  )
  if (missing <= 0n) throw new HttpError(409, [{ code: 'balance_suffices' }])
  const { min } = app.config.topUp
  return { amount: missing > min ? missing : min, acting, cost }
}

/** Returns the order of a checkout, with the names and the end of the paid term that were shown. Throws 404 for a server that is not there. */
async function orderOf(app: App, tx: Tx, user_id: string, body: Wished): Promise<Ordered> {
  const {
    for: purpose,
    host_id,
    name,
    ipv4,
    ipv6,
    plan,
    scope,
    as_of,
    order_reference,
    begin_now,
    promo,
    extras,
  } = body
  const expected_total: Money = body.expected_total ?? toMoney(0n, app.config.currency)
  if (purpose === 'top_up') return { user_id, params: {}, host: null, expected_total }
  if (purpose === 'bulk') return severalOf(tx, user_id, body, expected_total)
  const host = host_id === undefined ? undefined : await findHost(tx, user_id, host_id)
  if (host_id !== undefined && !host) throw notFound()
  const { name: plan_name } = await findPlan(tx, must(plan), host)
  const typed = { plan, name, ipv4, ipv6, scope, as_of, order_reference, begin_now, promo, extras, plan_name }
  const shown = { host_name: host?.name ?? name ?? '', paid_until: host?.paid_until?.toISOString() ?? null }
  const given = Object.entries({ ...typed, ...shown }).filter(([, value]) => value !== undefined)
  return { user_id, params: Object.fromEntries(given), host: host?.public_id ?? null, expected_total }
}

/** Returns an order for several servers, with the ends of their paid terms that were shown. Throws 404 for a server that is not there. */
async function severalOf(tx: Tx, user_id: string, body: Wished, expected_total: Money): Promise<Ordered> {
  const { plan, as_of, order_reference, begin_now, promo } = body
  const bulk = must(body.bulk)
  assertBulkComplete({ ...bulk, plan, promo })
  const plan_name = plan === undefined ? undefined : (await findPlan(tx, plan)).name
  const servers = await shownServers(tx, user_id, { host_ids: bulk.host_ids })
  const paid_until = Object.fromEntries(
    servers.map(({ host }) => [host.public_id, host.paid_until?.toISOString() ?? null]),
  )
  const typed = { plan, as_of, order_reference, begin_now, promo, plan_name, bulk: { ...bulk, paid_until } }
  const given = Object.entries(typed).filter(([, value]) => value !== undefined)
  return { user_id, params: Object.fromEntries(given), host: null, expected_total }
}

/** Throws 400 `required` for a field that the order lacks, and `invalid` for one of another order. */
function assertComplete(body: Wished): void {
  if (body.method === undefined && body.provider === undefined) throw badRequest('required', 'provider')
  if (body.method !== undefined && body.provider !== undefined) throw badRequest('invalid', 'method')
  const { required, others } = fieldsOf[body.for]
  for (const name of required) if (body[name] === undefined) throw badRequest('required', name)
  for (const name of others) if (body[name] !== undefined) throw badRequest('invalid', name)
}

type Field =
  | 'amount'
  | 'bulk'
  | 'expected_total'
  | 'plan'
  | 'host_id'
  | 'ipv4'
  | 'name'
  | 'ipv6'
  | 'promo'
  | 'extras'
const ofServer = {
  required: ['expected_total', 'plan', 'host_id'],
  others: ['amount', 'bulk', 'ipv4', 'name', 'ipv6'],
} as const
const fieldsOf = {
  order: { required: ['expected_total', 'plan'], others: ['amount', 'bulk', 'host_id'] },
  renewal: ofServer,
  upgrade: { ...ofServer, others: [...ofServer.others, 'promo', 'extras'] },
  top_up: {
    required: ['amount'],
    others: ['bulk', 'plan', 'host_id', 'ipv4', 'name', 'ipv6', 'promo', 'extras'],
  },
  bulk: {
    required: ['expected_total', 'bulk'],
    others: ['amount', 'host_id', 'ipv4', 'name', 'ipv6', 'extras'],
  },
} as const satisfies Record<Wished['for'], { required: readonly Field[]; others: readonly Field[] }>

/** Answers `GET /api/finances/checkouts/{id}/`. */
export const getCheckout = handler(contract.getCheckout, async ({ app, actor, params }) => {
  const checkout = await queries.checkoutOf(app.db, actor.user_id, params.id)
  if (!checkout) throw notFound()
  return { status: 200, body: await checkoutReply(app, app.db, checkout) }
})

/** Answers `GET /api/finances/checkouts/` with the open ones. */
export const listCheckouts = handler(contract.listCheckouts, async ({ app, actor, query }) => ({
  status: 200,
  body: await pageOfCheckouts(app, actor.user_id, { ...query, onlyOpen: true }),
}))

/** Returns a page of a customer's checkouts, the newest first: all of them, or the open ones. */
export async function pageOfCheckouts(
  app: App,
  user_id: string,
  { limit, cursor, onlyOpen = false }: { limit: number; cursor?: string | undefined; onlyOpen?: boolean },
) {
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const rows = await queries.checkoutsOf(app.db, user_id, { before, limit: limit + 1, onlyOpen })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    ({ top_up_id }) => [String(top_up_id)],
    (row) => row,
  )
  const shown = await Promise.all(items.map((row) => checkoutReply(app, app.db, row)))
  return { items: shown, next_cursor }
}

/** Answers `POST /api/finances/checkouts/{id}/payment/`. */
export const continueCheckout = handler(contract.continueCheckout, async ({ app, actor, params }) => {
  const { user_id } = actor
  const checkout = await queries.checkoutOf(app.db, user_id, params.id)
  if (!checkout) throw notFound()
  if (checkout.state !== 'open' || checkout.is_over) throw new HttpError(409, [{ code: 'checkout_not_open' }])
  await assertMayContinue(app, checkout)
  return { status: 200, body: await payCheckout(app, user_id, await checkoutReply(app, app.db, checkout)) }
})

/**
 * Answers `DELETE /api/finances/checkouts/{id}/`. The lock of the payment decides between a customer who cancels and the money that comes:
 * the second sees what the first did. Cancelling again changes nothing.
 */
export const cancelCheckout = handler(contract.cancelCheckout, async ({ app, actor, params }) => {
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    const found = await queries.checkoutOf(tx, user_id, params.id)
    if (!found) throw notFound()
    await cancelPayment(tx, found.top_up_id)
    const checkout = must(await queries.lockCheckout(tx, params.id))
    if (!['open', 'cancelled'].includes(checkout.state))
      throw new HttpError(409, [{ code: 'checkout_not_open' }])
    if (checkout.state === 'open') {
      await queries.endCheckout(tx, checkout.top_up_id, { state: 'cancelled' })
      recordCheckout(app, tx, { ...checkout, state: 'cancelled' })
      stopCharge(tx, checkout)
    }
    const ended = must(await queries.checkoutOf(tx, user_id, params.id))
    return { status: 200, body: await checkoutReply(app, tx, ended) } as const
  })
})
