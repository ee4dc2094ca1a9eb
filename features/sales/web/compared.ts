import type { Plan } from '#features/licences/contract.ts'

type Feature = { text: Plan['features'][number]; has: ReadonlySet<string> }
type Compared = { editions: Plan[]; different: Feature[]; common: Feature[] }

/** Returns one plan for each edition of these plans, and their features: `different` if some editions lack them, `common` if none does. */
export function compared(plans: readonly Plan[]): Compared {
  const editions = plans.filter(
    ({ edition }, place) => plans.findIndex((other) => other.edition.slug === edition.slug) === place,
  )
  // Features of two editions are the same feature if they have the same English text.
  const texts = new Map(editions.flatMap(({ features }) => features).map((text) => [text.en, text]))
  const features = [...texts.values()].map((text) => ({
    text,
    has: new Set(
      editions
        .filter((plan) => plan.features.some(({ en }) => en === text.en))
        .map(({ edition }) => edition.slug),
    ),
  }))
  return {
    editions,
    different: features.filter(({ has }) => has.size < editions.length),
    common: features.filter(({ has }) => has.size === editions.length),
  }
}

/** The number of machines that a licence of this plan allows; undefined if its edition sets none. */
export function machinesOf({ entitlements }: Plan): number | undefined {
  const { machines } = entitlements
  return typeof machines === 'number' ? machines : undefined
}
