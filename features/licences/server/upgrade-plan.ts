import type { HostRow } from '#features/hosts/server/hosts.ts'
import { creditTotal, vatFor, type VatDecision } from '#features/invoices/server/invoices.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { UpgradePreview } from '#features/licences/upgrade-preview.ts'
import { priceOf } from '#features/licences/rules.ts'
import {
  leftValue,
  PREVIEW_VALID_S,
  priceOfRest,
  type UpgradeScope,
} from '#features/licences/upgrade-rules.ts'
import { editionBySlug } from './edition-queries.ts'
import type { PlanRow } from './plan-queries.ts'
import { findPlan, instructionFor } from './plans.ts'
import { runtimeOf } from './queries.ts'
import { valuedPeriods, type ValuedPeriod } from './upgrade-queries.ts'

export type UpgradeWish = { plan: string; scope: UpgradeScope; as_of?: string | undefined }

/** One period that is exchanged: from when on, what comes back (with the VAT of its invoice), and what the new one costs. */
export type Exchange = { period: ValuedPeriod; from: Date; credit: bigint; price: ReturnType<typeof priceOf> }

/** What an upgrade comes to, in minor units. */
export type UpgradePlan = {
  plan: PlanRow
  vat: VatDecision
  /** Another account that pays for the new plan. */
  payer: PayerRow | undefined
  now: Date
  as_of: Date
  exchanges: Exchange[]
  credit: bigint
  charge: bigint
  /** Due now by who pays for the new plan: credits of others are theirs. */
  pay_now: bigint
}

/**
 * How a host's licence would be upgraded at this moment; reads only. An upgrade goes to a higher edition with the same term: another
 * term, or less, is a choice for the end. Throws 400 `unknown_plan`@plan, 409 `host_suspended`, `not_an_upgrade`, `too_little_left`.
 */
export async function planUpgrade(
  app: App,
  db: App['db'],
  host: HostRow,
  wish: UpgradeWish,
  payer: PayerRow | undefined,
): Promise<UpgradePlan> {
  const plan = await findPlan(db, wish.plan)
  // Nobody pays for a server that may not run (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  const { now } = await runtimeOf(db, host.id)
  const { rank } = must(await editionBySlug(db, plan.edition))
  const running = await valuedPeriods(db, host.id, now)
  const lower = (wish.scope === 'present' ? running.slice(0, 1) : running).filter(
    (period) => period.term === plan.term && period.rank < rank && period.currency === app.config.currency,
  )
  if (lower.length === 0) throw new HttpError(409, [{ code: 'not_an_upgrade', param: 'plan' }])
  const buyer_id = payer?.payer_id ?? host.user_id
  const vat = await vatFor(app, db, buyer_id)
  const as_of = timeOfPreview(wish.as_of, now)
  const exchanges: Exchange[] = []
  for (const period of lower) exchanges.push(await exchange(db, period, { as_of, list: plan.price_net, vat }))
  const credit = exchanges.reduce((sum, { credit: each }) => sum + each, 0n)
  const charge = exchanges.reduce((sum, { price }) => sum + price.total, 0n)
  const pay_now = charge - creditTo(exchanges, buyer_id)
  return { plan, vat, payer, now, as_of, exchanges, credit, charge, pay_now }
}

/** That of the preview while it counts. Another price than it showed is refused anyway. */
function timeOfPreview(as_of: string | undefined, now: Date): Date {
  if (as_of === undefined) return now
  const age_ms = now.getTime() - Date.parse(as_of)
  return age_ms >= 0 && age_ms <= PREVIEW_VALID_S * 1000 ? new Date(as_of) : now
}

/** What comes back to an account. */
const creditTo = (exchanges: readonly Exchange[], account: string): bigint =>
  exchanges.reduce((sum, { credit, period }) => sum + (period.buyer_id === account ? credit : 0n), 0n)

async function exchange(
  db: App['db'],
  period: ValuedPeriod,
  { as_of, list, vat }: { as_of: Date; list: bigint; vat: VatDecision },
): Promise<Exchange> {
  const { transaction_id, buyer_id: user_id, net, starts_at } = period
  const from = as_of > starts_at ? as_of : starts_at
  const left = leftValue(net, period, from)
  const credit = left === 0n ? 0n : must(await creditTotal(db, { user_id, transaction_id }, left))
  const price = priceOf(priceOfRest(list, period, from), vat.rate_bp)
  if (price.net === 0n) throw new HttpError(409, [{ code: 'too_little_left' }])
  return { period, from, credit, price }
}

/** `balance` in minor units, of the owner: that of a payer is nobody else's to know. */
export function previewReply(
  app: App,
  planned: UpgradePlan,
  { user_id }: Pick<HostRow, 'user_id'>,
  balance: bigint,
): UpgradePreview {
  const { plan, vat, payer, as_of, exchanges, credit, charge, pay_now } = planned
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const withdrawal_url = payer ? undefined : instructionFor(app, vat)
  return {
    plan: { slug: plan.slug, name: plan.name },
    as_of: as_of.toISOString(),
    valid_until: new Date(as_of.getTime() + PREVIEW_VALID_S * 1000).toISOString(),
    periods: exchanges.map(({ period, from, credit: given, price }) => ({
      plan: period.plan_name,
      starts_at: from.toISOString(),
      ends_at: period.ends_at.toISOString(),
      credit: money(given),
      net: money(price.net),
      vat: money(price.vat),
      price: money(price.total),
    })),
    credit: money(credit),
    charge: money(charge),
    pay_now: money(pay_now),
    renewal: money(priceOf(plan.renewal_net, vat.rate_bp).total),
    balance_after: money(balance + creditTo(exchanges, user_id) - (payer ? 0n : charge)),
    ...(withdrawal_url === undefined ? {} : { withdrawal_url }),
  }
}
