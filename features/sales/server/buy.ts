import { isTrial } from '#features/hosts/rules.ts'
import { announceHost, type HostRow } from '#features/hosts/server/hosts.ts'
import { requireBillingAddress, vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import { requireTerms } from '#features/legal/server/legal.ts'
import { must } from '#foundation/must.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { conflictWith, HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { nextPeriod, priceOf } from '#features/licences/rules.ts'
import { claimAddresses } from '#features/licences/server/licences.ts'
import { passGate, payerFor } from './gate.ts'
import { planChange, writeLicenceToHost } from '#features/licences/server/licences.ts'
import { atMost, findPlan, instructionFor, netFor, offerOf } from '#features/licences/server/licences.ts'
import { runtimeOf } from '#features/licences/server/licences.ts'
import { forgetRenewalPlan } from '#features/licences/server/licences.ts'
import { hasAddress, writeSale, type Sold, type SoldLicence } from './sale.ts'

/**
 * `expected_total` is the total that was shown to a person (rule 46). For the automatic renewal the price
 * before VAT that its mails announced (`announced_net`, minor units) is the most that it charges.
 */
type Wish = {
  slug: string
  expected_total?: Money
  announced_net?: bigint | null | undefined
  /** The buyer's own number of this order, printed on its invoice. */
  order_reference?: string | undefined
  /** True if a consumer asks for the service to begin at once (row L-02). */
  begin_now?: boolean | undefined
  automatic?: boolean
}

/**
 * Buys runtime for a host whose row the caller has locked: charge, runtime and invoice, all or nothing, locked in this order (rule 9):
 * host, balance, invoice counter. The price is the plan's current one with this customer's VAT (rule 11). The invoice gets its number at
 * the end of the transaction, because all other invoices wait from then until the commit. Throws 400 `unknown_plan`@plan, 400
 * `ipv4_required`@ipv4, 400 `required`@begin_now, 409 `price_changed` with the plan, 409 `host_suspended`, 409 `terms_not_accepted` or
 * `terms_changed`, 403 `account_blocked`, 409 `billing_address_required`, 402 `insufficient_balance` or `payment_limit_reached`, 409
 * `ipv4_licensed`@ipv4 or `ipv6_licensed`@ipv6, each with nothing written. An automatic renewal needs no billing address: nobody is there
 * to fill it in, and a stopped server is worse than an invoice to an email address.
 */
export const buyRuntime = async (app: App, tx: Tx, host: HostRow, wish: Wish): Promise<Sold> =>
  writePurchase(app, tx, host, await judgePurchase(app, tx, host, wish))

/**
 * Throws the refusals of a purchase, or returns the terms of an allowed one, with its balance and address locked. A batch of renewals goes
 * on without a refused purchase, because nothing is charged before this function returns.
 */
export async function judgePurchase(
  app: App,
  tx: Tx,
  host: HostRow,
  { slug, expected_total, announced_net, order_reference, begin_now, automatic = false }: Wish,
) {
  const { user_id, id: host_id, ipv4, ipv6 } = host
  const plan = await findPlan(tx, slug, host)
  const net = atMost(netFor(plan, host), announced_net)
  if (!hasAddress(host)) throw badRequest('ipv4_required', 'ipv4')
  // A server that may not run cannot be paid for, not even by a renewal (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  await assertMayBuy(tx, user_id)
  const payer = await payerFor(tx, host, { automatic })
  const buyer_id = payer?.payer_id ?? user_id
  const vat = vatOver(await vatFor(app, tx, buyer_id), net)
  const price = priceOf(net, vat.rate_bp)
  if (expected_total && !isSame(expected_total, toMoney(price.total, app.config.currency)))
    throw conflictWith({ code: 'price_changed' }, { plan: await offerOf(app, tx, plan, { host, vat }) })
  // A person who orders at the cost of another account is no consumer, so they cannot withdraw (decision 106).
  const instruction = automatic || payer ? undefined : instructionFor(app, vat)
  if (instruction !== undefined && begin_now !== true) throw badRequest('required', 'begin_now')
  if (!automatic) await requireBillingAddress(app, tx, { user_id: buyer_id, total: price.total })
  const { now, last } = await runtimeOf(tx, host_id)
  const period = nextPeriod(plan.term, now, last)
  // The first paid period after a trial is an order.
  const kind = automatic ? 'auto_renewal' : last && !isTrial(host.periods.at(-1)) ? 'renewal' : 'order'
  // A running licence is renewed under the terms of its order: a stopped server is worse than a late answer about new terms.
  const runsOn = last !== undefined && last.ends_at > now
  if (!automatic && !runsOn) await requireTerms(app, tx, user_id)
  const { total } = price
  const [payment] = await passGate(app, tx, [{ payer, buyer_id, total, pay_now: total, of_month: total }])
  await claimAddresses(tx, { user_id, host_id, ipv4, ipv6, ...timesOf(period) })
  return {
    plan,
    vat,
    price,
    now,
    period,
    kind,
    order_reference,
    instruction,
    payment: must(payment),
  } as const
}

/** Throws 401 for an account that was deleted meanwhile, 403 `account_blocked`. */
export async function assertMayBuy(tx: Tx, user_id: string): Promise<void> {
  // A concurrent deletion of the account waits for the rows that we have locked, or we have waited for it and see it here.
  const buyer = await findUser(tx, user_id)
  if (!buyer?.is_active) throw new HttpError(401, [{ code: 'not_authenticated' }])
  // The routes refuse blocked accounts, but a renewal passes no route, and an order may have passed its route a moment before the block.
  if (buyer.access !== 'open') throw new HttpError(403, [{ code: 'account_blocked' }])
}

type Purchase = Awaited<ReturnType<typeof judgePurchase>>

/** Charges, and writes runtime and invoice. Nothing may be refused in here: in a batch, everything written before would stay. */
export async function writePurchase(
  app: App,
  tx: Tx,
  host: HostRow,
  { plan, price: { net }, period, kind, ...sale }: Purchase,
): Promise<Sold> {
  const licence = { host, plan, period, kind, net }
  const sold = await writeSale(app, tx, { ...sale, licences: [licence] })
  await moveEnd(tx, licence, sale.now)
  return sold
}

/** Writes the end of a purchase into its host, schedules the renewal steps, and announces the host. */
export async function moveEnd(tx: Tx, { host, plan, period }: SoldLicence, now: Date): Promise<void> {
  const bought = { plan: plan.slug, starts_at: period.starts_at.toISOString() }
  const plan_changes_at = planChange([...host.periods, bought], now)
  await writeLicenceToHost(tx, host, { ends_at: period.ends_at, plan_changes_at, is_trial: false, now })
  // The licence goes on with the plan bought last: an earlier choice for the end is fulfilled, or taken back (decision 031).
  if (host.renewal) await forgetRenewalPlan(tx, host.id)
  await announceHost(tx, host)
}

const timesOf = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }) => ({ starts_at, ends_at })

export const isSame = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency
