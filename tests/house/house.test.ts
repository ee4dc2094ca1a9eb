// The laws of the house that no linter knows, on this checkout. Each message says what to do.
// That each of them bites is shown in laws.test.ts.
import { expect, it } from 'vitest'
import { laws } from './laws/laws.ts'
import { checkout } from './laws/tree.ts'

const tree = checkout()

for (const [name, law] of Object.entries(laws)) it(name, () => expect(law(tree)).toEqual([]))
