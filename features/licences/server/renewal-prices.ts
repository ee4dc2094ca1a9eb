import { planAtEnd } from '#features/hosts/rules.ts'
import { renewingHosts, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { vatFor } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { months, nextCharge, priceOf, isTerm } from '#features/licences/rules.ts'
import { allPlans } from './plan-queries.ts'
import { renewalNetAt } from './plans.ts'
import { schedulesOf, type RenewalSchedule } from './renewal-queries.ts'

/** One automatic renewal that is due if nothing changes; `total` is in minor units. */
export type Renewal = { host_id: bigint; due_at: Date; total: bigint; months: number }

/** The next renewal of each of these hosts that has auto-renewal on, at the price for its payer. */
export async function renewalsFor(
  app: App,
  db: App['db'],
  { owner_id, buyer_id, host_ids }: { owner_id: string; buyer_id: string; host_ids: readonly bigint[] },
): Promise<Renewal[]> {
  const hosts = (await renewingHosts(db, owner_id)).filter(({ id }) => host_ids.includes(id))
  const ids = new Map(hosts.map(({ public_id, id }) => [public_id, id]))
  return (await chargesOf(app, db, hosts, buyer_id)).flatMap(({ host_id, due_at, total, months: count }) => {
    const id = ids.get(host_id)
    return id === undefined ? [] : [{ host_id: id, due_at, total, months: count }]
  })
}

/** The next renewal of each of these hosts, at the price for an account that pays. */
export async function chargesOf(
  app: App,
  db: App['db'],
  hosts: readonly HostRow[],
  buyer_id: string,
): Promise<Upcoming[]> {
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
  const prices = await renewalPrices(app, db, buyer_id, announced)
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

/** The price of another term for each of these hosts at its time `at`: the lower of the price at that time and the announced price. */
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
