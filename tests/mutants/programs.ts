import { events } from './events.ts'
import type { Mutant } from './mutant.ts'
import { tokens } from './tokens.ts'

/** Mutants of what programs do and read. */
export const programs: readonly Mutant[] = [...tokens, ...events]
