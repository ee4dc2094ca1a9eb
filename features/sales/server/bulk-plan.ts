import { isTrial, planAtEnd } from '#features/hosts/rules.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bulkRefusals, type BulkRefusal } from '#features/sales/rules.ts'
import { nextPeriod } from '#features/licences/rules.ts'
import { clashingClaims, refusedFor } from '#features/licences/server/licences.ts'
import { paymentsOf, type Payment } from './bulk-payments.ts'
import type { Server } from './bulk-servers.ts'
import type { PlanRow } from '#features/licences/server/licences.ts'
import { findPlan, netFor } from '#features/licences/server/licences.ts'
import { runtimeOf } from '#features/licences/server/licences.ts'
import { hasAddress, type SoldLicence } from './sale.ts'
import { planUpgrade, type UpgradePlan } from './upgrade-plan.ts'
import { restOf } from './upgrade-orders.ts'

export type RefusedServer = Server & { code: BulkRefusal }

export type BulkPlan = {
  /** The time of all orders, and the beginning of periods that begin now. Upgrades count from `as_of`, which may be the preview's time. */
  now: Date
  as_of: Date
  servers: readonly Server[]
  refused: RefusedServer[]
  payments: Payment[]
  /** The upgrades, by row id of the server. */
  upgrades: Map<bigint, UpgradePlan>
  /** The plan and the price with which each server will renew, by row id. Nothing is charged now. */
  renewals: Map<bigint, { plan: PlanRow; net: bigint; total: bigint }>
  /** Minor units. */
  expected_total: bigint
}

type Wish = {
  act: 'order' | 'renew' | 'upgrade'
  plan?: string | undefined
  as_of?: string | undefined
}

/** Returns the prices of a bulk at this moment, and the servers for which the bulk is refused; reads only. */
export async function planBulk(
  app: App,
  tx: Tx,
  servers: readonly Server[],
  wish: Wish,
  payers: ReadonlyMap<bigint, PayerRow>,
): Promise<BulkPlan> {
  const { now } = await runtimeOf(tx, must(servers[0]).host.id)
  const refused: RefusedServer[] = []
  const upgrades = new Map<bigint, UpgradePlan>()
  const judge = async (server: Server): Promise<SoldLicence[]> => {
    const { host } = server
    try {
      if (wish.act !== 'upgrade') return [await judgePurchase(tx, server, wish.plan, now)]
      const wanted = { plan: wish.plan ?? '', scope: 'all', as_of: wish.as_of } as const
      const planned = await planUpgrade(app, tx, host, wanted, payers.get(host.id))
      upgrades.set(host.id, planned)
      return planned.exchanges.map((exchange) => restOf(host, planned, exchange))
    } catch (error) {
      refused.push({ ...server, code: codeOf(error) })
      return []
    }
  }
  const judged = await atOnce(servers.map(judge))
  const licences = judged.filter(([first]) => first !== undefined)
  if (wish.act !== 'upgrade') refused.push(...(await withoutAddress(tx, servers, licences.flat())))
  const isRefused = new Set(refused.map(({ host }) => host.id))
  const sold = licences.filter(([first]) => !isRefused.has(must(first).host.id))
  const payments = await paymentsOf(app, tx, sold, payers, upgrades)
  const [first] = upgrades.values()
  return {
    now: first?.now ?? now,
    as_of: first?.as_of ?? now,
    servers,
    refused: refused.toSorted((one, other) => one.place - other.place),
    payments,
    upgrades,
    renewals: new Map(),
    expected_total: payments.reduce((sum, { pay_now }) => sum + pay_now, 0n),
  }
}

/** Returns the licence that would be sold for one server; throws the refusals that concern this server alone. */
async function judgePurchase(
  tx: Tx,
  { host }: Server,
  wanted: string | undefined,
  now: Date,
): Promise<SoldLicence> {
  const slug = wanted ?? planAtEnd(host)?.plan
  if (slug === undefined) throw new HttpError(409, [{ code: 'plan_required' }])
  const plan = await findPlan(tx, slug, host)
  if (!hasAddress(host)) throw new HttpError(409, [{ code: 'ipv4_required' }])
  // A server that may not run cannot be paid for (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  const { last } = await runtimeOf(tx, host.id)
  const period = nextPeriod(plan.term, now, last)
  const kind = last && !isTrial(host.periods.at(-1)) ? 'renewal' : 'order'
  return { host, plan, period, kind, net: netFor(plan, host) }
}

/** Returns the code of a refusal of one server; throws any other error again, which refuses the whole bulk. */
export function codeOf(error: unknown): BulkRefusal {
  const named = error instanceof HttpError ? error.errors[0]?.code : undefined
  const code = bulkRefusals.find((one) => one === named)
  if (code === undefined) throw error
  return code
}

/** Returns the servers whose address another licence, or an earlier server in the list, has at that time. */
async function withoutAddress(
  tx: Tx,
  servers: readonly Server[],
  licences: readonly SoldLicence[],
): Promise<RefusedServer[]> {
  const taken = await clashingClaims(
    tx,
    licences.map(({ host: { id: host_id, ipv4, ipv6 }, period }) => ({ host_id, ipv4, ipv6, ...period })),
  )
  return refusedFor(servers, taken)
}
