import type { Period } from '#features/licences/rules.ts'
import {
  netOf,
  type Order,
  type PlanRow,
  type Price,
  type Promo,
  type SoldExtra,
} from '#features/licences/server/licences.ts'
import type { InvoiceLine } from '#features/invoices/server/invoices.ts'
import { must } from '#foundation/must.ts'
import type { ServerRow } from './gate.ts'

/** A licence for one server, with the terms of its sale. */
export type SoldLicence = {
  host: ServerRow
  plan: PlanRow
  /** The sold period; if an upgrade replaces a part of a term, `term_starts_at` is the beginning of the whole term. */
  period: Period & { term_starts_at?: Date }
  kind: Exclude<Order['kind'], 'trial'>
  /** Before VAT, in minor units, with the extras. */
  net: bigint
  extras?: readonly SoldExtra[]
} & Partial<Price>

/** The lines of a licence: the plan, and each of its extras. */
export const linesOf = (licence: SoldLicence): InvoiceLine[] => [
  planLine(licence),
  ...(licence.extras ?? []).map((extra) => extraLine(licence, extra)),
]

/** The line of a plan, at its price in the list, less what a promo code takes off. */
function planLine({ net: sum, list, promo, period, extras = [], ...licence }: SoldLicence): InvoiceLine {
  const net = sum - netOf(extras)
  const full = list ?? net
  return {
    description: {
      code: lineCodes[licence.kind],
      params: { ...namesOf(licence), ...termOf(licence.plan.price_net, period) },
    },
    quantity: 1n,
    net: full,
    ...(promo && full > net && { allowance: { amount: full - net, reduction: reductionBy(promo) } }),
    period: { starts_at: period.starts_at, ends_at: period.ends_at },
  }
}

/** The line of an extra; what is paid once has no period. The rest of a term is one piece, for its price is that of all pieces by the day. */
function extraLine(
  { host, period }: SoldLicence,
  { kind, name: extra, quantity, piece_net, net }: SoldExtra,
): InvoiceLine {
  const whole = piece_net * BigInt(quantity)
  const names = { host: host.name, extra }
  if (kind !== 'addon')
    return { description: { code: EXTRA, params: names }, quantity: BigInt(quantity), net: piece_net }
  const { starts_at, ends_at } = period
  if (net === whole)
    return {
      description: { code: EXTRA, params: names },
      quantity: BigInt(quantity),
      net: piece_net,
      period: { starts_at, ends_at },
    }
  const params = { ...names, count: String(quantity), ...termOf(whole, period) }
  return { description: { code: EXTRA, params }, quantity: 1n, net, period: { starts_at, ends_at } }
}

const EXTRA = 'extra' as const

/** The price and the beginning of the whole term, where an upgrade sells the rest of one: they explain the bill. */
const termOf = (price_net: bigint, { starts_at, term_starts_at }: SoldLicence['period']) =>
  term_starts_at !== undefined && term_starts_at < starts_at
    ? { term_price: price_net.toString(), term_starts_at: term_starts_at.toISOString() }
    : {}

const BY_PROMO_CODE = 'promo_code' as const

const reductionBy = ({ code, percent }: Promo) => ({
  code: BY_PROMO_CODE,
  params: { code, ...(percent !== null && { percent: String(percent) }) },
})

const lineCodes = {
  order: 'licence_order',
  renewal: 'licence_renewal',
  auto_renewal: 'licence_renewal',
  upgrade: 'licence_upgrade',
} as const

const namesOf = ({ host, plan }: Pick<SoldLicence, 'host' | 'plan'>) => ({ host: host.name, plan: plan.name })

/** The description of a charge in the ledger. */
export function descriptionOf(licences: readonly SoldLicence[]) {
  const first = must(licences[0])
  if (licences.length === 1) return { code: `licence_${first.kind}` as const, params: namesOf(first) }
  const count = String(licences.length)
  if (first.kind === 'upgrade')
    return { code: 'licence_upgrades', params: { count, plan: first.plan.name } } as const
  const areNew = licences.every(({ kind }) => kind === 'order')
  return { code: areNew ? 'licence_orders' : 'licence_renewals', params: { count } } as const
}
