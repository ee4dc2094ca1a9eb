import { events } from './events.ts'
import { extras } from './extras.ts'
import type { Mutant } from './mutant.ts'
import { owners } from './owners.ts'
import { products } from './products.ts'
import { promoCodes } from './promo-codes.ts'
import { shop } from './shop.ts'
import { tokens } from './tokens.ts'

/** Mutants of what programs do and read, and of what is sold, how, and to whom. */
export const programs: readonly Mutant[] = [
  ...tokens,
  ...events,
  ...products,
  ...promoCodes,
  ...extras,
  ...shop,
  ...owners,
]
