import * as hosts from '#features/hosts/server/hosts.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { isProgram, isTrial } from '#features/hosts/rules.ts'
import { requireParties, vatFor, vatOver, type VatDecision } from '#features/invoices/server/invoices.ts'
import { requireTerms } from '#features/legal/server/legal.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import { nextPeriod, priceOf } from '#features/licences/rules.ts'
import * as licences from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import { isSameMoney, toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, conflictWith, HttpError } from '#foundation/server/http/http-error.ts'
import { assertMayBuy, hasAddress, passGate, payerFor } from './gate.ts'
import { priceOfPurchase } from './promo.ts'
import { writeSale, type Sold } from './sale.ts'

/**
 * Makes the server of an order, or the row of a program, by the product of the plan. Throws 403 for a helper who acts for some servers only, 409
 * `too_many_hosts`, 400 `required`@ipv4 for a server, `invalid` for an address of a program.
 */
export async function newHost(
  app: App,
  tx: Tx,
  wanted: Parameters<typeof hosts.createHost>[1] & { plan: string },
): Promise<HostRow> {
  hosts.assertMayAdd(app)
  const host = await hosts.createHost(tx, wanted)
  if (isProgram(host)) {
    if (host.ipv4 !== null) throw badRequest('invalid', 'ipv4')
    if (host.ipv6 !== null) throw badRequest('invalid', 'ipv6')
  } else if (host.ipv4 === null) throw badRequest('required', 'ipv4')
  await app.acting?.note(tx, 'host_added', { host_id: host.public_id })
  return host
}

/**
 * `expected_total` is the total that was shown to a person (rule 46). For the automatic renewal the price
 * before VAT and promo code that its mails announced (`announced_net`, minor units) is the most from which it is charged.
 */
type Wish = {
  slug: string
  expected_total?: Money
  announced_net?: bigint | null | undefined
  /** The promo code that was typed. */
  promo?: string | undefined
  /** The extras that were chosen; without them, those that the licence has. */
  extras?: ChosenExtras | undefined
  /** The buyer's own number of this order, printed on its invoice. */
  order_reference?: string | undefined
  /** True if a consumer asks for the service to begin at once (row L-02). */
  begin_now?: boolean | undefined
  /** The VAT that was shown to somebody without an account, for whom the order is tried. */
  vat?: VatDecision
  automatic?: boolean
}

/**
 * Buys runtime for a host whose row the caller has locked: charge, invoice and runtime, all or nothing, locked in this order (rule 9):
 * host, balance, invoice counter. The price is the plan's current one with this customer's VAT (rule 11). The invoice gets its number at
 * the end of the transaction, because all other invoices wait from then until the commit. Undefined if a promo code has made it free. Throws as
 * `judgePurchase` does.
 */
export const buyRuntime = async (app: App, tx: Tx, host: HostRow, wish: Wish): Promise<Sold | undefined> =>
  writeSale(app, tx, await judgePurchase(app, tx, host, wish))

/**
 * Returns the sale of an allowed purchase, with its payment let through the gate and its address claimed, or throws a refusal: 400
 * `unknown_plan`@plan, `unknown_extra` or `quantity_too_large`@extras, `ipv4_required`@ipv4, 400 `required`@begin_now, 409 `price_changed` with the plan, 409 `host_suspended`, 409
 * `terms_not_accepted` or `terms_changed`, 403 `account_blocked`, 409 `billing_address_required`, 402 `insufficient_balance` or
 * `payment_limit_reached`, 409 `ipv4_licensed`@ipv4 or `ipv6_licensed`@ipv6, and those of a promo code, each with nothing written; a batch of renewals goes on
 * without a refused one. An automatic renewal needs no billing address: nobody is there to fill it in, and a stopped server is worse
 * than an invoice to an email address.
 */
export async function judgePurchase(app: App, tx: Tx, host: HostRow, wish: Wish) {
  const { slug, expected_total, order_reference, begin_now, automatic = false } = wish
  const { user_id, id: host_id, ipv4, ipv6 } = host
  const plan = await licences.findPlan(tx, slug, host)
  if (!hasAddress(host)) throw badRequest('ipv4_required', 'ipv4')
  // A server that may not run cannot be paid for, not even by a renewal (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  await assertMayBuy(tx, user_id)
  const payer = await payerFor(tx, host, { automatic })
  const buyer_id = payer?.payer_id ?? user_id
  const price = await priceOfPurchase(app, tx, { host, plan }, wish)
  // Nobody is there to read of a fee when a licence renews itself.
  const setups = automatic ? [] : await licences.setupsFor(tx, plan, host_id)
  const extras = [...setups, ...licences.extrasOf(plan, host, wish.extras)]
  const net = price.net + licences.netOf(extras)
  const vat = vatOver(wish.vat ?? (await vatFor(app, tx, buyer_id)), net)
  const { total } = priceOf(net, vat.rate_bp)
  if (expected_total && !isSameMoney(expected_total, toMoney(total, app.config.currency)))
    throw conflictWith(
      { code: 'price_changed' },
      { plan: await licences.offerOf(app, tx, plan, { host, vat, promo: price.promo ?? undefined }) },
    )
  // A person who orders at the cost of another account is no consumer, so they cannot withdraw (decision 106).
  const instruction = automatic || payer || total === 0n ? undefined : licences.instructionFor(app, vat)
  if (instruction !== undefined && begin_now !== true) throw badRequest('required', 'begin_now')
  if (!automatic) await requireParties(app, tx, { user_id: buyer_id, total })
  const { now, last } = await licences.runtimeOf(tx, host_id)
  const period = nextPeriod(plan.term, now, last)
  // The first paid period after a trial is an order.
  const kind = automatic ? 'auto_renewal' : last && !isTrial(host.periods.at(-1)) ? 'renewal' : 'order'
  // A running licence is renewed under the terms of its order: a stopped server is worse than a late answer about new terms.
  const runsOn = last !== undefined && last.ends_at > now
  if (!automatic && !runsOn) await requireTerms(app, tx, user_id)
  const due = { payer, buyer_id, total, pay_now: total, of_month: total }
  // The owner's balance is locked, too, where another account pays: orders with codes for the first order take turns.
  const [payment] = await passGate(app, tx, [due], wish.promo === undefined ? [] : [user_id])
  if (wish.promo !== undefined) await licences.assertStillFirst(tx, user_id, wish.promo)
  const { starts_at, ends_at } = period
  await licences.claimAddresses(tx, { user_id, host_id, ipv4, ipv6, starts_at, ends_at })
  const sold = [{ host, plan, period, kind, ...price, net, extras }] as const
  return { licences: sold, vat, now, order_reference, instruction, payment: must(payment) }
}
