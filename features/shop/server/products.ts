import { allProducts, plansOnSale } from '#features/licences/server/licences.ts'
import { vatForStranger } from '#features/invoices/server/invoices.ts'
import type { Plan } from '#features/licences/contract.ts'
import type { Translated } from '#foundation/locale.ts'
import { amountOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'

/** An edition with the plans that sell it, the shortest term first. */
export type ShopEdition = Pick<Plan['edition'], 'slug' | 'name'> &
  Pick<Plan, 'description' | 'features' | 'entitlements' | 'trial_days'> & { plans: readonly Plan[] }

export type ShopProduct = {
  slug: string
  name: Translated
  text: Translated
  editions: readonly ShopEdition[]
}

/** Returns what is for sale, at the prices for a consumer in a country, in the operator's order; nothing that is retired. */
export async function productsFor(app: App, country: string): Promise<ShopProduct[]> {
  const vat = await vatForStranger(app, app.db, { country })
  const [products, plans] = await Promise.all([allProducts(app.db), plansOnSale(app, app.db, vat)])
  return products
    .map(({ slug, name, description: text }) => {
      const own = plans.filter(({ product }) => product?.slug === slug)
      return { slug, name, text, editions: editionsOf(own) }
    })
    .filter(({ editions }) => editions.length > 0)
}

const editionsOf = (plans: readonly Plan[]): ShopEdition[] =>
  [...Map.groupBy(plans, ({ edition }) => edition.slug).values()].map((own) => ({
    ...editionOf(own),
    plans: own,
  }))

function editionOf([plan]: readonly Plan[]): Omit<ShopEdition, 'plans'> {
  const { edition, description, features, entitlements, trial_days } = must(plan)
  return { ...edition, description, features, entitlements, trial_days }
}

/** The plan with the lowest price for a month, by which a product says from which price it is to be had. */
export const cheapestOf = ({ editions }: ShopProduct): Plan =>
  editions
    .flatMap(({ plans }) => plans)
    .reduce((lowest, plan) => (amountOf(plan.per_month) < amountOf(lowest.per_month) ? plan : lowest))
