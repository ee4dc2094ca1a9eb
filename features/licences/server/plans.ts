import { percentOf } from '#features/invoices/rules.ts'
import { isConsumerInTheEu, vatFor, type VatDecision } from '#features/invoices/server/invoices.ts'
import { hostOf, type HostRow } from '#features/hosts/server/hosts.ts'
import { licenceAt } from '#features/hosts/rules.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/licences/contract.ts'
import { netAt, perMonth, priceOf, savingOf } from '#features/licences/rules.ts'
import { allEditions, type EditionRow } from './edition-queries.ts'
import { allPlans, planBySlug, type PlanRow } from './plan-queries.ts'

type Having = Pick<HostRow, 'periods' | 'renewal'>

/** Plans that can be ordered, at this customer's price. */
export const listPlans = handler(contract.listPlans, async ({ app, actor: { user_id }, query }) => {
  const host = query.host === undefined ? undefined : await hostOf(app.db, user_id, query.host)
  const [vat, plans, editions] = await Promise.all([
    vatFor(app, app.db, user_id),
    allPlans(app.db),
    allEditions(app.db),
  ])
  const offer = { plans, editions, host, vat }
  const items = plans
    .filter((plan) => isOffered(plan, host))
    .map((plan) => ({
      ...planReply(app, plan, offer),
      ...(host && { upgrade: isUpgrade(plan, host, editions) }),
    }))
  return { status: 200, body: { items } }
})

/** More of what runs now, for the same term. */
function isUpgrade(plan: PlanRow, host: HostRow, editions: readonly EditionRow[]): boolean {
  const present = licenceAt(host.periods, host.now)
  const rankOf = (edition: string) => editions.find(({ slug }) => slug === edition)?.rank ?? 0
  return (
    plan.is_sold &&
    present !== undefined &&
    !host.suspended &&
    Date.parse(present.ends_at) > host.now.getTime() &&
    present.term === plan.term &&
    rankOf(plan.edition) > rankOf(present.edition)
  )
}

/** A plan as this customer is offered it for a host, or for a new one. */
export async function offerOf(
  app: App,
  tx: Tx,
  plan: PlanRow,
  offered: Pick<Offer, 'host' | 'vat'>,
): Promise<contract.Plan> {
  const plans = await allPlans(tx)
  return planReply(app, plan, { ...offered, plans, editions: await allEditions(tx) })
}

type Offer = {
  plans: readonly PlanRow[]
  editions: readonly EditionRow[]
  host: Having | undefined
  vat: VatDecision
}

function planReply(app: App, plan: PlanRow, { plans, editions, host, vat: decided }: Offer): contract.Plan {
  const { currency } = app.config
  const { slug, name, term } = plan
  const { net, vat, total } = priceOf(netFor(plan, host), decided.rate_bp)
  const edition = must(editions.find((one) => one.slug === plan.edition))
  const monthly = plans.find((one) => one.edition === edition.slug && one.term === 'P1M' && one.is_sold)
  const by_the_month = monthly && priceOf(netFor(monthly, host), decided.rate_bp).total
  const saving = by_the_month === undefined ? undefined : savingOf(total, term, by_the_month)
  const withdrawal_url = instructionFor(app, decided)
  return {
    slug,
    name,
    edition: { slug: edition.slug, name: edition.name },
    description: edition.description,
    features: edition.features,
    entitlements: edition.entitlements,
    term,
    vat_rate: percentOf(decided.rate_bp),
    price_net: toMoney(net, currency),
    vat: toMoney(vat, currency),
    price_total: toMoney(total, currency),
    per_month: toMoney(perMonth(total, term), currency),
    saving: saving ? { amount: toMoney(saving.amount, currency), percent: `${saving.percent}` } : null,
    trial_days: edition.trial_days,
    ...(withdrawal_url === undefined ? {} : { withdrawal_url }),
  }
}

/** The instruction on withdrawal, where it is set and this customer may withdraw: a consumer in the EU, by the judgement of the VAT. */
export const instructionFor = ({ config }: App, decided: VatDecision): string | undefined =>
  isConsumerInTheEu(decided) ? config.operator.withdrawalUrl : undefined

/** A plan that a host may be given; throws 400 `unknown_plan`@plan. */
export async function findPlan(db: App['db'], slug: string, host?: Having): Promise<PlanRow> {
  const plan = await planBySlug(db, slug)
  if (!plan || !isOffered(plan, host)) throw badRequest('unknown_plan', 'plan')
  return plan
}

/**
 * A retired plan is not sold any more, but a host that has it, has paid for it in advance or chosen it for its end, may keep it.
 */
const isOffered = ({ slug, is_sold }: PlanRow, host: Having | undefined): boolean =>
  is_sold || host?.renewal?.plan === slug || (host?.periods.some(({ plan }) => plan === slug) ?? false)

/** What a host pays for a plan now, before VAT: a renewal where it has that plan at the end of its paid time, or has chosen it. */
export const netFor = ({ slug, price_net, renewal_net }: PlanRow, host: Having | undefined): bigint =>
  host?.renewal?.plan === slug || host?.periods.at(-1)?.plan === slug ? renewal_net : price_net

/** What a renewal pays at a time: the price of then, but no more than was announced. */
export const renewalNetAt = (plan: PlanRow, at: Date, announced_net: bigint | null | undefined): bigint =>
  atMost(netAt(plan.prices, 'renewals_from_at', at) ?? plan.renewal_net, announced_net)

/** A price, or the announced one, if it has risen since (rule 46). */
export const atMost = (net: bigint, announced_net: bigint | null | undefined): bigint =>
  typeof announced_net === 'bigint' && announced_net < net ? announced_net : net
