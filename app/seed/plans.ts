import type { NewPlan } from '#features/licences/server/licences.ts'

const names = {
  starter: { en: 'Starter', de: 'Starter', ru: 'Старт' },
  standard: { en: 'Standard', de: 'Standard', ru: 'Стандарт' },
  business: { en: 'Business', de: 'Business', ru: 'Бизнес' },
}

/** Net prices in minor units: by the month, the quarter, the year. */
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

/** The plans of the demo shop. A production installation starts without plans: `npm run hostdesk -- plan add`. */
export const plans: readonly NewPlan[] = (['starter', 'standard', 'business'] as const).flatMap((kind) =>
  terms.map(([word, term], place) => ({
    slug: `${kind}-${word}`,
    name: names[kind],
    term,
    price_net: prices[kind][place] ?? 0n,
  })),
)
