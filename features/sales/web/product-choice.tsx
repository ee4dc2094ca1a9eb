import { useState } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'

type Plans = { data: { items: Plan[] } | undefined; error: unknown; refetch: () => Promise<unknown> }
type Product = NonNullable<Plan['product']>
type Choice = { products: readonly Product[]; chosen: string | undefined; onChoose: (slug: string) => void }

/**
 * Returns the plans of the chosen product, by default of the first plan's. `program` is the product if it is ordered without an address.
 */
export function useProduct(
  all: Plans,
  plan?: string,
): { plans: Plans; program: Product | undefined; isProgram: boolean; choice: Choice } {
  const [slug, onChoose] = useState<string>()
  const items = all.data?.items ?? []
  const named = items.find((each) => each.slug === plan) ?? items[0]
  const wanted = slug ?? named?.product?.slug
  const known = new Map(items.flatMap(({ product }) => (product ? [[product.slug, product] as const] : [])))
  const products = [...known.values()]
  const chosen = known.get(wanted ?? '')
  const shown = items.filter(({ product }) => product?.slug === chosen?.slug)
  const program = chosen?.asks_address === false ? chosen : undefined
  return {
    plans: all.data ? { ...all, data: { items: shown } } : all,
    program,
    isProgram: program !== undefined,
    choice: { products, chosen: chosen?.slug, onChoose },
  }
}

/** The choice of a product, where more than one is sold. */
export function ProductChoice({ products, chosen, onChoose }: Choice) {
  const locale = useLocale()
  if (products.length < 2) return null
  const options = products.map(({ slug, name }) => ({ value: slug, text: name[locale] }))
  return (
    <Segments
      name="product"
      label={m.sales_product()}
      options={options}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
