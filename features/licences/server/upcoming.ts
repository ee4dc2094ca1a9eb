import { planAtEnd } from '#features/hosts/rules.ts'
import { renewingHosts, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { vatFor } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { months, nextCharge, priceOf, isTerm } from '#features/licences/rules.ts'
import { allPlans } from './plan-queries.ts'
import { renewalNetAt } from './plans.ts'
import { schedulesOf, type RenewalSchedule } from './renewal-queries.ts'

/** Upcoming automatic charges of a customer: the next renewal of each host that renews itself. */
export async function upcomingCharges(app: App, db: App['db'], user_id: string): Promise<Upcoming[]> {
  const hosts = await renewingHosts(db, user_id)
  if (hosts.length === 0) return []
  const watches = await schedulesOf(
    db,
    hosts.map(({ id }) => id),
  )
  const byHost = new Map(watches.map((watch) => [watch.host_id, watch]))
  const announced = hosts.map(({ id, periods, renewal, paid_until, now }) => ({
    periods,
    renewal,
    announced_net: byHost.get(id)?.announced_net ?? null,
    at: (paid_until && nextCharge(paid_until, now)) ?? now,
  }))
  const prices = await renewalPrices(app, db, user_id, announced)
  return hosts.flatMap((host, place): Upcoming[] => {
    const { paid_until, now, id } = host
    const wasRefused = (byHost.get(id)?.refusal ?? null) !== null
    if (paid_until === null || (paid_until <= now && !wasRefused)) return []
    const due_at = nextCharge(paid_until, now)
    if (!due_at) return []
    const term = planAtEnd(host)?.term ?? ''
    if (!isTerm(term)) return []
    const again = { total: prices[place]?.total ?? 0n, months: months[term] }
    return [{ host_id: host.public_id, host_name: host.name, due_at, ...again }]
  })
}

/** The price of another term for each of these hosts at its time: the one of then or the announced one, the lower of the two. */
export async function renewalPrices(
  app: App,
  db: App['db'],
  user_id: string,
  hosts: readonly (Pick<HostRow, 'periods' | 'renewal'> &
    Pick<RenewalSchedule, 'announced_net'> & { at: Date })[],
): Promise<{ net: bigint; total: bigint }[]> {
  const plans = new Map((await allPlans(db)).map((plan) => [plan.slug, plan]))
  const { rate_bp } = await vatFor(app, db, user_id)
  return hosts.map(({ announced_net, at, ...host }) => {
    const plan = plans.get(planAtEnd(host)?.plan ?? '')
    return priceOf(plan ? renewalNetAt(plan, at, announced_net) : 0n, rate_bp)
  })
}
