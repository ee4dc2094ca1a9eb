import { expect, it } from 'vitest'
import { actText } from '#features/approvals/texts.ts'
import { nameOf } from '#foundation/server/approvals/approvable-act.ts'
import { approvable } from './features.ts'

it('each act that a second person confirms has a text, for a sum or without one', () => {
  const names = approvable.map(nameOf)
  const nameless = names.filter((name) => [null, '€1.00'].every((amount) => actText(name, amount) === name))
  expect(names).toContain('customers.move')
  expect(nameless).toEqual([])
})
