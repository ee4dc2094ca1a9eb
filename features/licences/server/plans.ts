import { percentOf } from '#features/invoices/rules.ts'
import { isConsumerInTheEu, vatFor, type VatDecision } from '#features/invoices/server/invoices.ts'
import { hostOf, type HostRow } from '#features/hosts/server/hosts.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/licences/contract.ts'
import { netAt, priceOf } from '#features/licences/rules.ts'
import { allPlans, planBySlug, type PlanRow } from './plan-queries.ts'

type Having = Pick<HostRow, 'periods'>

/** Plans that can be ordered, at this customer's price. */
export const listPlans = handler(contract.listPlans, async ({ app, actor: { user_id }, query }) => {
  const host = query.host === undefined ? undefined : await hostOf(app.db, user_id, query.host)
  const [vat, plans] = await Promise.all([vatFor(app, app.db, user_id), allPlans(app.db)])
  const items = plans
    .filter((plan) => isOffered(plan, host))
    .map((plan) => planReply(app, plan, netFor(plan, host), vat))
  return { status: 200, body: { items } }
})

/** A plan at a price (minor units, before VAT) with this VAT. */
export function planReply(
  app: App,
  { slug, name, term }: PlanRow,
  price_net: bigint,
  decided: VatDecision,
): contract.Plan {
  const { currency } = app.config
  const { net, vat, total } = priceOf(price_net, decided.rate_bp)
  const withdrawal_url = instructionFor(app, decided)
  return {
    slug,
    name,
    term,
    vat_rate: percentOf(decided.rate_bp),
    price_net: toMoney(net, currency),
    vat: toMoney(vat, currency),
    price_total: toMoney(total, currency),
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
 * A retired plan is not sold any more, but a host that has it, or has paid for it in advance, may keep it.
 */
const isOffered = ({ slug, is_active }: PlanRow, host: Having | undefined): boolean =>
  is_active || (host?.periods.some(({ plan }) => plan === slug) ?? false)

/** What a host pays for a plan now, before VAT: a renewal where it has that plan at the end of its paid time. */
export const netFor = ({ slug, price_net, renewal_net }: PlanRow, host: Having | undefined): bigint =>
  host?.periods.at(-1)?.plan === slug ? renewal_net : price_net

/** What a renewal pays at a time: the price of then, but no more than was announced. */
export const renewalNetAt = (plan: PlanRow, at: Date, announced_net: bigint | null | undefined): bigint =>
  atMost(netAt(plan.prices, 'renewals_from_at', at) ?? plan.renewal_net, announced_net)

/** A price, or the announced one, if it has risen since (rule 46). */
export const atMost = (net: bigint, announced_net: bigint | null | undefined): bigint =>
  typeof announced_net === 'bigint' && announced_net < net ? announced_net : net
