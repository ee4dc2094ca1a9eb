import { expect, it } from 'vitest'
import { kinds, kindsFor } from './rules.ts'

it('lets customers choose the kinds that can reach them, and staff all', () => {
  expect(kindsFor(true)).toEqual(kinds)
  expect(kindsFor(false)).toEqual(['reply', 'alert', 'payment', 'announcement'])
})
