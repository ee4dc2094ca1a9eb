import { plansOnSale } from '#features/licences/server/licences.ts'
import { vatForStranger } from '#features/invoices/server/invoices.ts'
import type { Plan } from '#features/licences/contract.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import { amountOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import * as m from '#texts/messages.js'

/** An edition with the plans that sell it, the shortest term first. */
export type ShopEdition = Pick<Plan['edition'], 'slug' | 'name'> &
  Pick<Plan, 'description' | 'features' | 'entitlements' | 'trial_days'> & { plans: readonly Plan[] }

export type ShopProduct = {
  slug: string
  name: Translated
  text: Translated
  editions: readonly ShopEdition[]
}

type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string

const inAll = (text: Text): Translated => ({
  en: text({}, { locale: 'en' }),
  de: text({}, { locale: 'de' }),
  ru: text({}, { locale: 'ru' }),
})

/** Returns what is for sale, at the prices for a consumer in a country, in the operator's order; nothing that is retired. */
export async function productsFor(app: App, country: string): Promise<ShopProduct[]> {
  const plans = await plansOnSale(app, app.db, await vatForStranger(app, app.db, { country }))
  const editions = [...new Set(plans.map(({ edition }) => edition.slug))].map((slug) => {
    const own = plans.filter(({ edition }) => edition.slug === slug)
    return { ...editionOf(own), plans: own }
  })
  if (editions.length === 0) return []
  return [{ slug: 'server', name: inAll(m.shop_server_name), text: inAll(m.shop_server_text), editions }]
}

function editionOf([plan]: readonly Plan[]): Omit<ShopEdition, 'plans'> {
  const { edition, description, features, entitlements, trial_days } = must(plan)
  return { ...edition, description, features, entitlements, trial_days }
}

/** The plan with the lowest price for a month, by which a product says from which price it is to be had. */
export const cheapestOf = ({ editions }: ShopProduct): Plan =>
  editions
    .flatMap(({ plans }) => plans)
    .reduce((lowest, plan) => (amountOf(plan.per_month) < amountOf(lowest.per_month) ? plan : lowest))
