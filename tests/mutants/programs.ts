import { events } from './events.ts'
import type { Mutant } from './mutant.ts'
import { products } from './products.ts'
import { tokens } from './tokens.ts'

/** Mutants of what programs do and read, and of what is sold besides servers. */
export const programs: readonly Mutant[] = [...tokens, ...events, ...products]
