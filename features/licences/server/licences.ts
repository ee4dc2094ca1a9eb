import { isTrial, nextPlan } from '#features/hosts/rules.ts'
import { hostOf, setAutoRenew, setPaidUntil, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { periodFrom, type Period } from '#features/licences/rules.ts'
import { claimAddresses, claimTrialAddresses, cutClaims, isTrying } from './claim-queries.ts'
import { forgetMachines } from './machine-queries.ts'
import { periodsAhead, runtimeOf, writePeriods, type OrderedPeriod } from './period-queries.ts'
import { forgetChosenExtras, giveChosenExtras } from './extra-queries.ts'
import {
  deleteSchedule,
  forgetAnnouncements,
  forgetRenewalPlan,
  giveRenewalPlan,
  type RenewalSchedule,
} from './renewal-queries.ts'
import { giveNotices } from './plan-move-queries.ts'
import { askToRenewRefused, scheduleRenewalSteps } from './renewals.ts'

export { addPlan, changePlan, orderPlans, PlanHasChanged, sellPlan } from './catalogue.ts'
export type { NewPlan, PlanChange } from './catalogue.ts'
export { claimAddresses, claimTrialAddresses, clashingClaims, insertClaim } from './claim-queries.ts'
export { insertTrial, refusedFor } from './claim-queries.ts'
export { addEdition, changeEdition, EditionHasChanged, makeEdition, type NewEdition } from './editions.ts'
export { allEditions, editionBySlug, type EditionRow } from './edition-queries.ts'
export { hostsOfPlan, suspendedHosts } from './host-filter-queries.ts'
export { allProducts, type ProductRow } from './product-queries.ts'
export { changeProduct, makeProduct, ProductHasChanged } from './products.ts'
export { allowReleases } from './own-machines.ts'
export { lowerValue, runtimeOf, valuedPeriods, writePeriods } from './period-queries.ts'
export type { OrderedPeriod, ValuedPeriod } from './period-queries.ts'
export { allPlans, lacksPlan, lockPlan, renewalsAt, renewingByPlan, type PlanRow } from './plan-queries.ts'
export { countMovable, dueMoves, insertMove, moveById, movesByPlan, undoMove } from './plan-move-queries.ts'
export {
  deleteNotice,
  noteMoved,
  insertNotice,
  noticedHosts,
  hostsWithoutNotice,
  type PlanMove,
} from './plan-move-queries.ts'
export { atMost, netFor, renewalNetAt } from './plan-price.ts'
export { findPlan, instructionFor, offerOf, plansOnSale, productOfPlan, runsOn } from './plans.ts'
export { countingTries, endPromoCode, makePromoCode, otherEdition } from './promo-codes.ts'
export {
  assertStillFirst,
  findPromo,
  promoByCode,
  promosInOrder,
  takePromo,
  type PromoCode,
} from './promo-codes.ts'
export {
  addonsOf,
  asKept,
  extrasOf,
  heldExtras,
  netOf,
  onceNetOf,
  setupsFor,
  soldFor,
  type SoldExtra,
} from './extra-prices.ts'
export { allExtras, putChosenExtras, type ExtraRow } from './extra-queries.ts'
export { addExtra, changeExtra, ExtraHasChanged } from './extras.ts'
export type { HasChanged } from './has-changed.ts'
export { heldBy, lowered, type Price, type Promo } from './promo-price.ts'
export { historyOf, insertOrder, orderedPeriod, ordersPaidBy } from './queries.ts'
export type { HistoryRow, Order, OrderOfPayment, PaidOrder } from './queries.ts'
export { forgetRenewalPlan, putRenewalPlan } from './renewal-queries.ts'
export { refusedSchedules, scheduleOf, schedulesOf, type RenewalSchedule } from './renewal-queries.ts'
export {
  askToRenewNow,
  askToRenewRefused,
  RENEW_NOW,
  RENEWAL_STEP,
  scheduleNextStep,
  stepsDue,
} from './renewals.ts'
export { chargesOf, renewalPrices, renewalsFor, type Renewal } from './renewals.ts'
export { debtsSince } from './debt-queries.ts'
export { recurringRevenue } from './recurring-queries.ts'
export { dueRenewals, hasSold, monthlyChurn } from './report-queries.ts'
export { resume, suspend } from './suspensions.ts'

type Named = { user_id: string; id: bigint }
type Addressed = Named & Pick<HostRow, 'ipv4' | 'ipv6'>

/** Writes the paid end into the host's row, and schedules the steps around that end. */
export async function writeLicenceToHost(
  tx: Tx,
  host: Named,
  watched: Pick<RenewalSchedule, 'ends_at' | 'plan_changes_at' | 'is_trial'> & { now: Date },
): Promise<void> {
  await setPaidUntil(tx, { id: host.id, paid_until: watched.ends_at })
  await scheduleRenewalSteps(tx, { host_id: host.id, user_id: host.user_id, ...watched })
}

/**
 * Takes back the runtime of an order that was refunded in full: used runtime is kept, the remainder is
 * cancelled. Later paid runtime moves up, term by term, so that none of it is lost. If nothing is left the
 * automatic renewal goes off, or it would buy again what was just refunded.
 */
export async function endRefunded(tx: Tx, host: HostRow, order_id: string): Promise<boolean> {
  const { now } = await runtimeOf(tx, host.id)
  const ahead = await periodsAhead(tx, host.id, now)
  const place = ahead.findIndex((period) => period.order_id === order_id)
  const refunded = ahead[place]
  // A period that has run in full is not in `ahead`: there is nothing to take back.
  if (!refunded) return false
  const ended = { ...refunded, ends_at: later(refunded.starts_at, now), ended: 'refunded' as const }
  const moved = movedUp(ahead.slice(place + 1), {
    ends_at: ended.ends_at,
    anchor_day: ended.starts_at > now ? ended.anchor_day : now.getUTCDate(),
  })
  await writePeriods(tx, [ended, ...moved])
  const left = [...ahead.slice(0, place), ended, ...moved].findLast(lasts)
  const last = left ?? (await runtimeOf(tx, host.id)).last
  const runsOn = last !== undefined && last.ends_at > now
  await claimAgain(tx, host, now, runsOn ? last.ends_at : now)
  if (!runsOn && host.auto_renew) await setAutoRenew(tx, host, false)
  if (!runsOn) await forgetChoices(tx, host.id)
  if (last) {
    // Nothing is ahead of a refunded period that was the last one, and it was no trial.
    const periods = last === ended ? [] : (await hostOf(tx, host.user_id, host.public_id)).periods
    await writeLicenceToHost(tx, host, {
      ends_at: last.ends_at,
      plan_changes_at: planChange(periods, now),
      is_trial: isTrial(periods.at(-1)),
      now,
    })
  } else {
    await setPaidUntil(tx, { id: host.id, paid_until: null })
    await deleteSchedule(tx, host.id)
  }
  return true
}

const lasts = ({ starts_at, ends_at }: Period): boolean => ends_at > starts_at

/** Returns the periods moved up: each lasts its whole term from the end of the one before it. The first follows `before`. */
export function movedUp(
  periods: readonly OrderedPeriod[],
  before: Pick<Period, 'ends_at' | 'anchor_day'>,
): OrderedPeriod[] {
  const moved: OrderedPeriod[] = []
  for (const period of periods) {
    const next = { ...period, ...periodFrom(period.term, before.ends_at, before.anchor_day) }
    moved.push(next)
    before = next
  }
  return moved
}

/** Ends all runtime of a deleted host: the days are lost, the address is free for others. */
export async function endDeleted(tx: Tx, host_id: bigint): Promise<void> {
  const { now } = await runtimeOf(tx, host_id)
  const ahead = await periodsAhead(tx, host_id, now)
  await writePeriods(
    tx,
    ahead.map((period) => ({ ...period, ends_at: later(period.starts_at, now), ended: 'deleted' })),
  )
  await cutClaims(tx, host_id, now)
  await forgetChoices(tx, host_id)
  await deleteSchedule(tx, host_id)
  await forgetMachines(tx, host_id)
}

/** Forgets the plan and the add-ons that were chosen for the end. */
export async function forgetChoices(tx: Tx, host_id: bigint): Promise<void> {
  await forgetRenewalPlan(tx, host_id)
  await forgetChosenExtras(tx, host_id)
}

/** Forgets the former owner's choices for the end, and the prices announced in their mails. The runtime goes to the new owner. */
export async function leaveOwner(tx: Tx, host_id: bigint): Promise<void> {
  await forgetChoices(tx, host_id)
  await forgetAnnouncements(tx, host_id)
  // They are machines of the former owner, at addresses that are not for the next one, and must not hold the places of the next one's.
  await forgetMachines(tx, host_id)
}

/**
 * Gives the choices for the end, and the notices of moves to other plans, to another account of the owner. Machines and announced prices follow
 * the host. The balance of that account may cover a renewal that was refused.
 */
export async function stayWithOwner(tx: Tx, { id, user_id, to }: Named & { to: string }): Promise<void> {
  await giveRenewalPlan(tx, id, to)
  await giveChosenExtras(tx, id, to)
  await giveNotices(tx, { host_id: id, from: user_id, to })
  await askToRenewRefused(tx, [id])
}

/** Moves a running licence to other addresses from now on. Throws 409 `ipv4_licensed`, `ipv6_licensed`, or for a trial `trial_used`. */
export async function moveAddresses(tx: Tx, host: Addressed): Promise<void> {
  const { now, last } = await runtimeOf(tx, host.id)
  // The attack is any number of accounts that begin a trial under an unused address, and then move it to an address that was tried before.
  if (await isTrying(tx, host.id, now)) await claimTrialAddresses(tx, { ...host, host_id: host.id })
  if (last && last.ends_at > now) await claimAgain(tx, host, now, last.ends_at)
}

/** Claims the addresses of a host from `starts_at` to `ends_at`, instead of its claims after `starts_at`; throws as `claimAddresses`. */
export async function claimAgain(
  tx: Tx,
  { user_id, id: host_id, ipv4, ipv6 }: Addressed,
  starts_at: Date,
  ends_at: Date,
): Promise<void> {
  await cutClaims(tx, host_id, starts_at)
  if (ends_at > starts_at) await claimAddresses(tx, { user_id, host_id, ipv4, ipv6, starts_at, ends_at })
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

/** The time at which another, already paid plan begins; null if the plan stays. */
export function planChange(periods: Parameters<typeof nextPlan>[0], now: Date): Date | null {
  const next = nextPlan(periods, now)
  return next ? new Date(next.starts_at) : null
}
