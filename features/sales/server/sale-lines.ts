import type { Period } from '#features/licences/rules.ts'
import type { Order, PlanRow, Price, Promo } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { ServerRow } from './gate.ts'

/** A licence for one server, with the terms of its sale. */
export type SoldLicence = {
  host: ServerRow
  plan: PlanRow
  /** The sold period; if an upgrade replaces a part of a term, `term_starts_at` is the beginning of the whole term. */
  period: Period & { term_starts_at?: Date }
  kind: Exclude<Order['kind'], 'trial'>
  /** Before VAT, in minor units. */
  net: bigint
} & Partial<Price>

/** The line of a licence, at its price in the list, less what a promo code takes off. */
export function lineOf({ net, list = net, promo, period, ...licence }: SoldLicence) {
  return {
    description: {
      code: lineCodes[licence.kind],
      params: { ...namesOf(licence), ...termOf(licence.plan, period) },
    },
    quantity: 1n,
    net: list,
    ...(promo && list > net && { allowance: { amount: list - net, reduction: reductionBy(promo) } }),
    period: { starts_at: period.starts_at, ends_at: period.ends_at },
  }
}

/** The price and the beginning of the whole term, where an upgrade sells the rest of one: they explain the bill. */
const termOf = ({ price_net }: PlanRow, { starts_at, term_starts_at }: SoldLicence['period']) =>
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
