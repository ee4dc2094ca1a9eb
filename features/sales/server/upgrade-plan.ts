import type { SpendingPart } from '#features/finance/rules.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { creditTotal, vatFor, vatOver, type VatDecision } from '#features/invoices/server/invoices.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { periodFrom, priceOf, type Period } from '#features/licences/rules.ts'
import { leftValue, PREVIEW_VALID_S, priceOfRest, type UpgradeScope } from '#features/sales/rules.ts'
import {
  editionBySlug,
  findPlan,
  instructionFor,
  movedUp,
  netOf,
  type OrderedPeriod,
  type PlanRow,
  runtimeOf,
  setupsFor,
  type SoldExtra,
  type ValuedPeriod,
  valuedPeriods,
} from '#features/licences/server/licences.ts'
import { partOfOrder } from './parts.ts'
import { laterOf, netOfRest, restOfExtras } from './upgrade-rest.ts'

export type UpgradeWish = { plan: string; scope: UpgradeScope; as_of?: string | undefined }

/** One exchanged period: the start of the exchange, the new period, the credit (with the VAT of the old invoice) and the new price. */
type Exchange = {
  period: ValuedPeriod
  /** The credited part of a charge for several servers; undefined if the charge was for one server. */
  part: SpendingPart | undefined
  from: Date
  bought: Period & { term_starts_at: Date }
  credit: bigint
  price: ReturnType<typeof priceOf>
  /** The extras that are sold with it: the add-ons of the period for its rest, and fees of an edition that is new to the server. */
  extras: SoldExtra[]
}

/** The parts of an upgrade and its sums, in minor units. */
export type UpgradePlan = {
  plan: PlanRow
  vat: VatDecision
  /** Another account that pays for the new plan; undefined if the owner pays. */
  payer: PayerRow | undefined
  instruction: string | undefined
  now: Date
  as_of: Date
  exchanges: Exchange[]
  /** The paid periods that follow a trial which the upgrade ends; they move behind the new term. */
  moved: OrderedPeriod[]
  credit: bigint
  charge: bigint
  /** The amount due now from the payer of the new plan; credits to other accounts do not reduce it. */
  pay_now: bigint
}

/**
 * Returns how a host's licence would be upgraded at this moment; reads only. An upgrade goes to a higher edition with the same term;
 * another term or a lower edition can be chosen for the end only. A trial is replaced by a whole term at its full price (decision 112).
 * Throws 400 `unknown_plan`@plan, 409 `host_suspended`, `not_an_upgrade`, `too_little_left`.
 */
export async function planUpgrade(
  app: App,
  db: App['db'],
  host: Pick<HostRow, 'id' | 'user_id' | 'suspended' | 'product'>,
  wish: UpgradeWish,
  payer: PayerRow | undefined,
): Promise<UpgradePlan> {
  // A retired plan is no upgrade, not even of a host that has it.
  const plan = await findPlan(db, wish.plan, { product: host.product, periods: [], renewal: null })
  // A server that may not run cannot be paid for (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  const { now } = await runtimeOf(db, host.id)
  const { rank } = must(await editionBySlug(db, plan.edition))
  const running = await valuedPeriods(db, host.id, now)
  const isTried = running[0]?.is_trial ?? false
  const lower = (wish.scope === 'present' || isTried ? running.slice(0, 1) : running).filter(
    (period) =>
      (period.is_trial || period.term === plan.term) &&
      period.rank < rank &&
      period.currency === app.config.currency,
  )
  if (lower.length === 0) throw new HttpError(409, [{ code: 'not_an_upgrade', param: 'plan' }])
  const buyer_id = payer?.payer_id ?? host.user_id
  const offered = await vatFor(app, db, buyer_id)
  const as_of = timeOfPreview(wish.as_of, now)
  const setups = await setupsFor(db, plan, host.id)
  const vat = vatOver(
    offered,
    lower.reduce((sum, period) => sum + netOfRest(plan, period, as_of), netOf(setups)),
  )
  const exchanges: Exchange[] = []
  for (const [place, period] of lower.entries())
    exchanges.push(await exchange(db, period, { as_of, plan, vat, setups: place === 0 ? setups : [] }))
  const credit = exchanges.reduce((sum, { credit: each }) => sum + each, 0n)
  const charge = exchanges.reduce((sum, { price }) => sum + price.total, 0n)
  const pay_now = charge - creditTo(exchanges, buyer_id)
  const moved = isTried ? movedUp(running.slice(1), must(exchanges[0]).bought) : []
  const instruction = payer ? undefined : instructionFor(app, vat)
  return { plan, vat, payer, instruction, now, as_of, exchanges, moved, credit, charge, pay_now }
}

/** The time of the preview while the preview is valid, else `now`. A price other than the preview showed is refused anyway. */
function timeOfPreview(as_of: string | undefined, now: Date): Date {
  if (as_of === undefined) return now
  const age_ms = now.getTime() - Date.parse(as_of)
  return age_ms >= 0 && age_ms <= PREVIEW_VALID_S * 1000 ? new Date(as_of) : now
}

/** Returns the sum of the credits to an account, and to those that were merged into it. */
export const creditTo = (exchanges: readonly Exchange[], account: string): bigint =>
  creditOf(exchanges, ({ kept_id }) => kept_id === account)

/** The accounts that get credits, and those to which their money moves on. */
export const creditedBy = (exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap(({ credit, period }) => (credit > 0n ? [period.buyer_id, period.kept_id] : []))

const creditOf = (exchanges: readonly Exchange[], isMeant: (period: ValuedPeriod) => boolean): bigint =>
  exchanges.reduce((sum, { credit, period }) => sum + (isMeant(period) ? credit : 0n), 0n)

/**
 * Returns the sum of the credits that reduce the spending of an agreement. Money that was paid by an earlier agreement is credited to the
 * same account, but reduces the spending of no other agreement.
 */
export const creditBy = (exchanges: readonly Exchange[], agreement_id: string): bigint =>
  creditOf(exchanges, (period) => period.agreement_id === agreement_id)

async function exchange(
  db: App['db'],
  period: ValuedPeriod,
  { as_of, plan, vat, setups }: { as_of: Date; plan: PlanRow; vat: VatDecision; setups: SoldExtra[] },
): Promise<Exchange> {
  const { transaction_id, buyer_id: user_id, net } = period
  const from = laterOf(as_of, period)
  if (period.is_trial) {
    const bought = { ...periodFrom(plan.term, from, from.getUTCDate()), term_starts_at: from }
    const price = priceOf(plan.price_net + netOf(setups), vat.rate_bp)
    return { period, part: undefined, from, bought, credit: 0n, price, extras: setups }
  }
  const left = leftValue(net, period, from)
  // A promo code may have made a period free: it has no transaction, and nothing to credit.
  const sale = transaction_id === null ? undefined : { user_id, transaction_id }
  const part = sale && (await partOfOrder(db, { ...sale, order_id: period.order_id }))
  const credit = sale && left > 0n ? must(await creditTotal(db, sale, left, part?.left)) : 0n
  const rest = priceOfRest(plan.price_net, period, from)
  if (rest === 0n) throw new HttpError(409, [{ code: 'too_little_left' }])
  const extras = [...setups, ...restOfExtras(plan, period, from)]
  const price = priceOf(rest + netOf(extras), vat.rate_bp)
  const { ends_at, anchor_day, term_starts_at } = period
  const bought = { starts_at: from, ends_at, anchor_day, term_starts_at }
  return { period, part, from, bought, credit, price, extras }
}

/** Returns the rest of a period as a licence with the new plan, ready to be sold. */
export const restOf = <Host>(
  host: Host,
  { plan }: Pick<UpgradePlan, 'plan'>,
  { bought: period, price: { net }, extras }: Exchange,
) => ({ host, plan, period, kind: 'upgrade', net, extras }) as const
