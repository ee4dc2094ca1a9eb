import { renewingHosts, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { vatFor } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { months, nextCharge, priceOf, type Term } from '#features/licences/rules.ts'
import { allPlans } from './plan-queries.ts'
import { refusedWatches } from './watch-queries.ts'

/** What the balance of a customer will be charged by itself: the next renewal of each host that renews itself. */
export async function upcomingCharges(app: App, db: App['db'], user_id: string): Promise<Upcoming[]> {
  const hosts = await renewingHosts(db, user_id)
  if (hosts.length === 0) return []
  const refused = new Set(await refusedWatches(db, user_id))
  const prices = await renewalPrices(app, db, user_id, hosts)
  return hosts.flatMap((host, place): Upcoming[] => {
    const { paid_until, now, id } = host
    if (paid_until === null || (paid_until <= now && !refused.has(id))) return []
    const due_at = nextCharge(paid_until, now)
    if (!due_at) return []
    const term = { total: prices[place] ?? 0n, months: months[host.term as Term] }
    return [{ host_id: host.public_id, host_name: host.name, due_at, ...term }]
  })
}

/** What another term of each of these hosts costs its owner at this moment, VAT included. */
export async function renewalPrices(
  app: App,
  db: App['db'],
  user_id: string,
  hosts: readonly Pick<HostRow, 'plan'>[],
): Promise<bigint[]> {
  const plans = new Map((await allPlans(db)).map((plan) => [plan.slug, plan.price_net]))
  const { rate_bp } = await vatFor(app, db, user_id)
  return hosts.map(({ plan }) => priceOf(plans.get(plan ?? '') ?? 0n, rate_bp).total)
}
