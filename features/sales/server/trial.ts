import { randomUUID } from 'node:crypto'
import { autoRenewChanged } from '#features/hosts/contract.ts'
import { announceHost, recordHost, setAutoRenew, type HostRow } from '#features/hosts/server/hosts.ts'
import { vatFor } from '#features/invoices/server/invoices.ts'
import { requireTerms } from '#features/legal/server/legal.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { isSameMoney, toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, conflictWith, HttpError } from '#foundation/server/http/http-error.ts'
import { trialPeriod } from '#features/licences/rules.ts'
import {
  claimAddresses,
  claimTrialAddresses,
  editionBySlug,
  findPlan,
  forgetRenewalPlan,
  insertOrder,
  insertTrial,
  offerOf,
  type PlanRow,
  runsOn,
  runtimeOf,
  writeLicenceToHost,
} from '#features/licences/server/licences.ts'
import { licenceOrdered } from '#features/sales/event-contract.ts'
import { assertMayBuy, hasAddress } from './gate.ts'

type Wish = { slug: string; expected_total: Money; origin?: Origin }

/**
 * Begins the trial of a plan for a host whose row the caller has locked (decision 112): runtime without a charge and an invoice. No payer
 * is involved, and no renewal follows unless the customer asks for it. Throws 400 `unknown_plan`@plan, `ipv4_required`@ipv4, 403
 * `account_blocked`, 409 `host_suspended`, `unverified_email`, `licence_running`, `trial_not_offered` or `price_changed` with the plan,
 * `terms_not_accepted`, `terms_changed`, `trial_used`@plan, @ipv4 or @ipv6, `ipv4_licensed`@ipv4 or `ipv6_licensed`@ipv6, each with
 * nothing written.
 */
export async function beginTrial(app: App, tx: Tx, host: HostRow, wish: Wish): Promise<void> {
  const { user_id, id: host_id, ipv4, ipv6 } = host
  // A host may renew its retired plan, but may not try it.
  const plan = await findPlan(tx, wish.slug, { product: host.product, periods: [], renewal: null })
  if (!hasAddress(host)) throw badRequest('ipv4_required', 'ipv4')
  const vat = await vatFor(app, tx, user_id)
  const days = await daysOffered(app, tx, host, { plan, vat, wish })
  const { now } = await runtimeOf(tx, host_id)
  const period = trialPeriod(days, now)
  const order_id = randomUUID()
  const { starts_at, ends_at } = period
  const tried = { user_id, host_id, edition: plan.edition, order_id, starts_at, ends_at }
  if (!(await insertTrial(tx, tried))) throw new HttpError(409, [{ code: 'trial_used', param: 'plan' }])
  await claimTrialAddresses(tx, { user_id, host_id, ipv4, ipv6 })
  await claimAddresses(tx, { user_id, host_id, ipv4, ipv6, starts_at, ends_at })
  const sold = { plan: plan.slug, plan_name: plan.name, term: plan.term, currency: app.config.currency }
  const nothing = {
    net: 0n,
    vat: 0n,
    total: 0n,
    vat_rate_bp: vat.rate_bp,
    transaction_id: null,
    invoice_id: null,
  }
  const order = { ...sold, ...nothing, id: order_id, user_id, host_id, ipv4, ipv6, kind: 'trial' } as const
  await insertOrder(tx, { ...order, payer_id: null, agreement_id: null, ordered_at: now, period })
  await writeLicenceToHost(tx, host, { ends_at, plan_changes_at: null, is_trial: true, now })
  await leaveAtEnd(app, tx, host)
  await announceHost(tx, host)
  recordHost(tx, licenceOrdered, host)
  const detail = { host_id: host.public_id, host: host.name, plan: plan.slug, until: ends_at.toISOString() }
  await recordAction(tx, { user_id, act: 'licence.tried', ...wish.origin, detail })
}

type Tried = { plan: PlanRow; vat: Awaited<ReturnType<typeof vatFor>>; wish: Wish }

/** Returns the days of the offered trial. Throws all refusals except `unknown_plan` and those about IP addresses or earlier trials. */
async function daysOffered(
  app: App,
  tx: Tx,
  host: HostRow,
  { plan, vat, wish: { expected_total } }: Tried,
): Promise<number> {
  const { user_id } = host
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  await assertMayBuy(tx, user_id)
  // The attack is one person who tries again and again with new accounts, so a trial needs a confirmed email address (rule 37).
  if (!(await addressesOf(tx, user_id)).some(({ verified }) => verified))
    throw new HttpError(409, [{ code: 'unverified_email' }])
  if (runsOn(host)) throw new HttpError(409, [{ code: 'licence_running' }])
  const { trial_days } = must(await editionBySlug(tx, plan.edition))
  const refusedWith = async (code: 'trial_not_offered' | 'price_changed') =>
    conflictWith({ code }, { plan: await offerOf(app, tx, plan, { host, vat }) })
  if (trial_days === 0) throw await refusedWith('trial_not_offered')
  if (!isSameMoney(expected_total, toMoney(0n, app.config.currency))) throw await refusedWith('price_changed')
  await requireTerms(app, tx, user_id)
  return trial_days
}

/** Switches auto-renewal off and forgets the chosen plan: a charge after the trial has to be asked for during the trial. */
async function leaveAtEnd(app: App, tx: Tx, host: HostRow): Promise<void> {
  const { id, user_id, public_id, auto_renew, renewal } = host
  if (renewal) await forgetRenewalPlan(tx, id)
  if (!auto_renew) return
  await setAutoRenew(tx, host, false)
  await emit(app, tx, autoRenewChanged, { user_id, id, host_id: public_id, auto_renew: false })
}
