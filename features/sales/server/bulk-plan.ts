import { isTrial, planAtEnd } from '#features/hosts/rules.ts'
import { vatFor, vatOver, type Amounts, type VatDecision } from '#features/invoices/server/invoices.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bulkRefusals, type BulkRefusal } from '#features/sales/rules.ts'
import { nextPeriod } from '#features/licences/rules.ts'
import {
  clashingClaims,
  extrasOf,
  findPlan,
  instructionFor,
  netFor,
  netOf,
  type PlanRow,
  type Promo,
  refusedFor,
  runtimeOf,
  setupsFor,
} from '#features/licences/server/licences.ts'
import type { Server } from './bulk-servers.ts'
import { hasAddress, type Due } from './gate.ts'
import { loweredTogether } from './promo.ts'
import { amountsOf, type SoldLicence } from './sale.ts'
import { creditBy, creditedBy, creditTo, planUpgrade, restOf, type UpgradePlan } from './upgrade-plan.ts'

export type RefusedServer = Server & { code: BulkRefusal }

export type BulkPlan = {
  /** The time of all orders, and the beginning of periods that begin now. Upgrades count from `as_of`, which may be the preview's time. */
  now: Date
  as_of: Date
  servers: readonly Server[]
  refused: RefusedServer[]
  payments: Payment[]
  /** The accounts that get credits. */
  credited: string[]
  /** The upgrades, by row id of the server. */
  upgrades: Map<bigint, UpgradePlan>
  /** The plan and the price with which each server will renew, by row id. Nothing is charged now. Amounts in minor units. */
  renewals: Map<bigint, { plan: PlanRow; net: bigint; total: bigint }>
  expected_total: bigint
}

type Wish = {
  act: 'order' | 'renew' | 'upgrade'
  plan?: string | undefined
  as_of?: string | undefined
  /** The promo code that was typed: `loweredTogether`. */
  promo?: Promo | undefined
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
  const judged = loweredTogether(await atOnce(servers.map(judge)), wish)
  const licences = judged.filter(([first]) => first !== undefined)
  if (wish.act !== 'upgrade') {
    const claims = licences.flat().map(({ host, period }) => ({ ...host, host_id: host.id, ...period }))
    // Another licence, or an earlier server in the list, has the address at that time.
    refused.push(...refusedFor(servers, await clashingClaims(tx, claims)))
  }
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
    credited: [...upgrades.values()].flatMap(({ exchanges }) => creditedBy(exchanges)),
    upgrades,
    renewals: new Map(),
    expected_total: payments.reduce((sum, { pay_now }) => sum + pay_now, 0n),
  }
}

/** Returns the licence that would be sold for one server; throws the refusals that concern this server alone. */
async function judgePurchase(
  tx: Tx,
  { host, extras: chosen }: Server,
  wanted: string | undefined,
  now: Date,
) {
  const slug = wanted ?? planAtEnd(host)?.plan
  if (slug === undefined) throw new HttpError(409, [{ code: 'plan_required' }])
  const plan = await findPlan(tx, slug, host)
  if (!hasAddress(host)) throw new HttpError(409, [{ code: 'ipv4_required' }])
  // A server that may not run cannot be paid for (decision 096).
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  const { last } = await runtimeOf(tx, host.id)
  const period = nextPeriod(plan.term, now, last)
  const kind = last && !isTrial(host.periods.at(-1)) ? 'renewal' : 'order'
  const extras = [...(await setupsFor(tx, plan, host.id)), ...extrasOf(plan, host, chosen)]
  return { host, plan, period, kind, net: netFor(plan, host) + netOf(extras), extras } as const
}

/** Returns the code of a refusal of one server; throws any other error again, which refuses the whole bulk. */
export function codeOf(error: unknown): BulkRefusal {
  const named = error instanceof HttpError ? error.errors[0]?.code : undefined
  const code = bulkRefusals.find((one) => one === named)
  if (code === undefined) throw error
  return code
}

/** The payment of one account, in minor units. */
type Payment = Due & {
  vat: VatDecision
  /** Licences that are charged together. Each has a server once, so a second period of a server belongs to a second charge. */
  charges: { licences: SoldLicence[]; sum: Amounts; each: Amounts[] }[]
  /** The credit that comes back to the same account. */
  credit: bigint
  /** The address of the instruction on withdrawal; undefined for a payer, whose orders are no contract of a consumer (decision 106). */
  instruction: string | undefined
}

/**
 * Returns the payments of all accounts for their servers, the owner's first. `sold` has a list for each server, with a licence for each of
 * its periods.
 */
async function paymentsOf(
  app: App,
  tx: Tx,
  sold: readonly SoldLicence[][],
  payers: ReadonlyMap<bigint, PayerRow>,
  upgrades: ReadonlyMap<bigint, UpgradePlan>,
): Promise<Payment[]> {
  const payerOf = (licences: readonly SoldLicence[]) => payers.get(must(licences[0]).host.id)
  const groups = Map.groupBy(sold, (licences) => payerOf(licences)?.agreement_id)
  const exchanges = [...upgrades.values()].flatMap((upgrade) => upgrade.exchanges)
  const payments: Payment[] = []
  for (const group of groups.values()) {
    const first = must(group[0])
    const payer = payerOf(first)
    const buyer_id = payer?.payer_id ?? must(first[0]).host.user_id
    const net = group.flat().reduce((sum, licence) => sum + licence.net, 0n)
    const vat = vatOver(await vatFor(app, tx, buyer_id), net)
    const most = Math.max(...group.map(({ length }) => length))
    const charges = Array.from({ length: most }, (_, place) => {
      const licences = group.flatMap((each) => each[place] ?? [])
      return { licences, ...amountsOf(licences, vat) }
    })
    const total = charges.reduce((all, { sum }) => all + sum.total, 0n)
    // There is nothing to withdraw from what costs nothing (decision 197).
    const instruction = payer || total === 0n ? undefined : instructionFor(app, vat)
    const credit = creditTo(exchanges, buyer_id)
    const of_month = total - (payer ? creditBy(exchanges, payer.agreement_id) : 0n)
    const due = { payer, buyer_id, total, pay_now: total - credit, of_month }
    payments.push({ ...due, vat, charges, credit, instruction })
  }
  return payments.toSorted((one, other) => Number(Boolean(one.payer)) - Number(Boolean(other.payer)))
}
