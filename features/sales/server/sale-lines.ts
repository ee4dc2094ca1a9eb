import type { Reduction } from '#features/invoices/shapes.ts'
import type { Promo } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { SoldLicence } from './sale.ts'

/** The line of a licence, at its price in the list, less what a promo code takes off. */
export function lineOf({ net, list = net, promo, period: { starts_at, ends_at }, ...licence }: SoldLicence) {
  return {
    description: { code: lineCodes[licence.kind], params: namesOf(licence) },
    quantity: 1n,
    net: list,
    ...(promo && list > net && { allowance: { amount: list - net, reduction: reductionBy(promo) } }),
    period: { starts_at, ends_at },
  }
}

const reductionBy = ({ code, percent }: Promo): Reduction => ({
  code: 'promo_code',
  params: { code, ...(percent !== null && { percent: String(percent) }) },
})

const lineCodes = {
  order: 'licence_order',
  renewal: 'licence_renewal',
  auto_renewal: 'licence_renewal',
  upgrade: 'licence_upgrade',
} as const

const namesOf = ({ host, plan }: Pick<SoldLicence, 'host' | 'plan'>) => ({ host: host.name, plan: plan.name })

/** What the ledger says of a charge. */
export function descriptionOf(licences: readonly SoldLicence[]) {
  const first = must(licences[0])
  if (licences.length === 1) return { code: `licence_${first.kind}` as const, params: namesOf(first) }
  const count = String(licences.length)
  if (first.kind === 'upgrade')
    return { code: 'licence_upgrades', params: { count, plan: first.plan.name } } as const
  const areNew = licences.every(({ kind }) => kind === 'order')
  return { code: areNew ? 'licence_orders' : 'licence_renewals', params: { count } } as const
}
