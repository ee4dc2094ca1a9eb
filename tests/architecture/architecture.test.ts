// Checks this checkout against the architecture rules that no linter knows. Each message names the remedy.
// The tests in rules.test.ts show on small trees that each rule finds its fault.
import { expect, it } from 'vitest'
import { idle } from './rules/pauses.ts'
import { rules } from './rules/rules.ts'
import { checkout } from './rules/tree.ts'

const tree = checkout()

for (const [name, rule] of Object.entries(rules)) it(name, () => expect(rule(tree)).toEqual([]))

it('each test file that pauses.ts lists contains a pause', () => expect(idle(tree)).toEqual([]))
