// The architecture rules that no linter knows, on this checkout. Each message names what to do.
// Small trees show that each of them bites, in rules.test.ts.
import { expect, it } from 'vitest'
import { idle } from './rules/pauses.ts'
import { rules } from './rules/rules.ts'
import { checkout } from './rules/tree.ts'

const tree = checkout()

for (const [name, rule] of Object.entries(rules)) it(name, () => expect(rule(tree)).toEqual([]))

it('the tests that are listed as pausing do pause', () => expect(idle(tree)).toEqual([]))
