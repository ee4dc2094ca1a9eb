import type { NewPlan } from '#features/licences/server/licences.ts'
import { editions } from './editions.ts'
import { programEditions } from './program.ts'

/** The net prices in minor units for a month, a quarter and a year. */
const prices = {
  starter: [490n, 1390n, 4900n],
  standard: [1990n, 5690n, 19_900n],
  business: [4990n, 14_290n, 49_900n],
} as const

const terms = [
  ['month', 'P1M'],
  ['quarter', 'P3M'],
  ['year', 'P1Y'],
] as const

/** The same of the program, for a month and a year. */
const programPrices = { 'ferry-solo': [390n, 3900n], 'ferry-team': [1290n, 12_900n] } as const
const [month, , year] = terms

const serverPlans: readonly NewPlan[] = editions.flatMap(({ slug, name }) =>
  terms.map(([word, term], place) => ({
    slug: `${slug}-${word}`,
    name,
    term,
    edition: slug,
    price_net: prices[slug][place] ?? 0n,
  })),
)

const programPlans: readonly NewPlan[] = programEditions.flatMap(({ slug, name }) =>
  [month, year].map(([word, term], place) => ({
    slug: `${slug}-${word}`,
    name,
    term,
    edition: slug,
    price_net: programPrices[slug][place] ?? 0n,
  })),
)

/** The plans of the demo shop. A production installation starts without plans: `npm run hostdesk -- plan add`. */
export const plans: readonly NewPlan[] = [...serverPlans, ...programPlans]
