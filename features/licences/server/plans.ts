import { percentOf } from '#features/invoices/rules.ts'
import {
  isConsumerInTheEu,
  namelessUpTo,
  priceNote,
  vatFor,
  vatOver,
  type VatDecision,
} from '#features/invoices/server/invoices.ts'
import { hostOf, type HostRow } from '#features/hosts/server/hosts.ts'
import { isTrial, licenceAt } from '#features/hosts/rules.ts'
import { must } from '#foundation/must.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/licences/contract.ts'
import { FIRST_PRODUCT, perMonth, priceOf, savingOf } from '#features/licences/rules.ts'
import { allEditions, type EditionRow } from './edition-queries.ts'
import { allPlans, planBySlug, type PlanRow } from './plan-queries.ts'
import { triedEditions } from './claim-queries.ts'
import { netFor } from './plan-price.ts'
import { editionsHad } from './extra-queries.ts'
import { offeredExtras } from './extra-prices.ts'
import { heldBy, lowered, type Promo } from './promo-price.ts'

type Having = Pick<HostRow, 'periods' | 'renewal' | 'product'>
type Offered = Having & Pick<HostRow, 'id' | 'user_id' | 'paid_until' | 'suspended' | 'extras_at_end' | 'now'>

/** Answers `GET /api/plans/` with the plans that can be ordered, at this customer's price. */
export const listPlans = handler(contract.listPlans, async ({ app, actor: { user_id }, query }) => {
  const host = query.host === undefined ? undefined : await hostOf(app.db, user_id, query.host)
  return { status: 200, body: { items: await offersFor(app, user_id, host) } }
})

/** Returns the plans that a customer can order for a host, at their price, lowered by a promo code where one is given or left. */
export async function offersFor(
  app: App,
  user_id: string,
  host: HostRow | undefined,
  promo?: Promo,
): Promise<contract.Plan[]> {
  const [vat, plans, editions, tried] = await Promise.all([
    vatFor(app, app.db, user_id),
    allPlans(app.db),
    allEditions(app.db),
    triedEditions(app.db, user_id),
  ])
  const had = await hadEditions(app.db, plans, host)
  const offer = { plans, editions, host, vat, tried, had, promo }
  return plans
    .filter((plan) => isOffered(plan, host))
    .map((plan) => ({
      ...planReply(app, plan, offer),
      ...(host && { upgrade: isUpgrade(plan, host, editions) }),
    }))
}

/** Returns the plans that somebody without an account can order, at the price with this VAT, lowered by a promo code. */
export async function plansOnSale(
  app: App,
  db: App['db'],
  vat: VatDecision,
  promo?: Promo,
): Promise<contract.Plan[]> {
  const [plans, editions] = await Promise.all([allPlans(db), allEditions(db)])
  const offer = { plans, editions, host: undefined, vat, promo, tried: [], had: [] }
  return plans.filter(({ is_sold }) => is_sold).map((plan) => planReply(app, plan, offer))
}

/** True if the plan has a higher edition than the running period and the same term; during a trial, any term. */
function isUpgrade(plan: PlanRow, host: HostRow, editions: readonly EditionRow[]): boolean {
  const present = licenceAt(host.periods, host.now)
  const rankOf = (edition: string) => editions.find(({ slug }) => slug === edition)?.rank ?? 0
  return (
    plan.is_sold &&
    present !== undefined &&
    !host.suspended &&
    Date.parse(present.ends_at) > host.now.getTime() &&
    (isTrial(present) || present.term === plan.term) &&
    rankOf(plan.edition) > rankOf(present.edition)
  )
}

/** Returns a plan as it is offered to this customer, for a host that exists or is new. */
export async function offerOf(
  app: App,
  tx: Tx,
  plan: PlanRow,
  { host, vat, promo }: { host: Offered; vat: VatDecision; promo?: Promo | undefined },
): Promise<contract.Plan> {
  const plans = await allPlans(tx)
  const tried = await triedEditions(tx, host.user_id)
  const had = await hadEditions(tx, [plan], host)
  return planReply(app, plan, { host, vat, promo, plans, tried, had, editions: await allEditions(tx) })
}

/** Returns the editions with which a host was paid for; none without a fee that could be due. */
const hadEditions = async (
  db: App['db'],
  plans: readonly PlanRow[],
  host: Pick<HostRow, 'id'> | undefined,
): Promise<readonly string[]> =>
  host && plans.some(({ extras }) => extras.some(({ kind }) => kind === 'setup'))
    ? editionsHad(db, host.id)
    : []

type Offer = {
  plans: readonly PlanRow[]
  editions: readonly EditionRow[]
  host: Offered | undefined
  vat: VatDecision
  tried: readonly string[]
  /** The editions with which the host was paid for, as far as a fee depends on it. */
  had: readonly string[]
  /** The code that the customer has typed; else the one counts that the last order has left. */
  promo?: Promo | undefined
}

function planReply(
  app: App,
  plan: PlanRow,
  { plans, editions, host, vat: offered, tried, had, promo }: Offer,
): contract.Plan {
  const { currency } = app.config
  const { slug, name, term } = plan
  const price = lowered(netFor(plan, host), plan, promo ?? heldBy(host))
  const decided = vatOver(offered, price.net)
  const { net, vat, total } = priceOf(price.net, decided.rate_bp)
  const full = priceOf(price.list, decided.rate_bp)
  const edition = must(editions.find((one) => one.slug === plan.edition))
  const monthly = plans.find((one) => one.edition === edition.slug && one.term === 'P1M' && one.is_sold)
  const by_the_month = monthly && priceOf(netFor(monthly, host), decided.rate_bp).total
  const saving = by_the_month === undefined ? undefined : savingOf(full.total, term, by_the_month)
  const withdrawal_url = instructionFor(app, decided)
  const vat_note = priceNote(decided, app.config.company)
  const extras = offeredExtras(app, plan, host, had.includes(plan.edition))
  return {
    slug,
    name,
    edition: { slug: edition.slug, name: edition.name },
    product: plan.product,
    description: edition.description,
    features: edition.features,
    entitlements: edition.entitlements,
    term,
    vat_rate: percentOf(decided.rate_bp),
    price_net: toMoney(net, currency),
    vat: toMoney(vat, currency),
    ...(vat_note && { vat_note }),
    ...rateAbove(offered, price.net, extras, currency),
    price_total: toMoney(total, currency),
    ...(extras.length > 0 && { extras }),
    ...(price.promo && { promo: promoReply(price.promo, full, currency) }),
    nameless_up_to: namelessUpTo(app.config.company, currency),
    per_month: toMoney(perMonth(total, term), currency),
    saving: saving ? { amount: toMoney(saving.amount, currency), percent: `${saving.percent}` } : null,
    trial_days: plan.is_sold && mayTry(edition, host, tried) ? edition.trial_days : 0,
    ...(withdrawal_url === undefined ? {} : { withdrawal_url }),
  }
}

/** Returns the rate above the threshold, and what is left of it: to nobody whose order cannot pass it, because it tells of the seller's turnover. */
function rateAbove(
  { above }: VatDecision,
  net: bigint,
  extras: NonNullable<contract.Plan['extras']>,
  currency: string,
): Pick<contract.Plan, 'vat_above'> {
  const greatest = extras.reduce((sum, { price_net, most }) => sum + amountOf(price_net) * BigInt(most), net)
  if (!above || net > above.left || greatest <= above.left) return {}
  const vat_rate = percentOf(above.decision.rate_bp)
  return { vat_above: { net: toMoney(above.left, currency), vat_rate } }
}

const promoReply = (
  { code, percent, left: renewals }: Promo,
  full: { net: bigint; total: bigint },
  currency: string,
): NonNullable<contract.Plan['promo']> => ({
  code,
  percent,
  renewals,
  net_before: toMoney(full.net, currency),
  total_before: toMoney(full.total, currency),
})

/** True if a trial may begin: the customer has not tried the edition yet, and the host is not suspended and has no paid time left. */
const mayTry = ({ slug }: EditionRow, host: Offered | undefined, tried: readonly string[]): boolean =>
  !tried.includes(slug) && !(host && (host.suspended || runsOn(host)))

export const runsOn = ({ paid_until, now }: Pick<HostRow, 'paid_until' | 'now'>): boolean =>
  paid_until !== null && paid_until > now

/** Returns the address of the instruction on withdrawal, if it is set and the customer is a consumer in the EU by the VAT decision. */
export const instructionFor = ({ config }: App, decided: VatDecision): string | undefined =>
  isConsumerInTheEu(decided) ? config.operator.withdrawalUrl : undefined

/** Returns a plan of its product that this host may get; throws 400 `unknown_plan`@plan. */
export async function findPlan(db: App['db'], slug: string, host?: Having): Promise<PlanRow> {
  const plan = await planBySlug(db, slug)
  if (!plan || !isOffered(plan, host)) throw badRequest('unknown_plan', 'plan')
  return plan
}

/** Returns the product whose plan this is, as a host names it: null for the first product, and for a plan that is not there. */
export async function productOfPlan(db: App['db'], slug: string | undefined) {
  const product = slug === undefined ? undefined : (await planBySlug(db, slug))?.product
  return product === undefined || product.slug === FIRST_PRODUCT ? null : product
}

/**
 * A host gets plans of its product alone. A retired plan is not sold any more, but a host that has it, has paid for it in advance or chosen it
 * for its end, may keep it.
 */
const isOffered = ({ slug, product, is_sold }: PlanRow, host: Having | undefined): boolean =>
  (host === undefined || product.slug === (host.product?.slug ?? FIRST_PRODUCT)) &&
  (is_sold || host?.renewal?.plan === slug || (host?.periods.some(({ plan }) => plan === slug) ?? false))
