import { expect, it } from 'vitest'
import { percentOf } from './rules.ts'

it.each([
  [1900n, '19'],
  [2550n, '25.5'],
  [810n, '8.1'],
  [725n, '7.25'],
  [705n, '7.05'],
  [0n, '0'],
  [5n, '0.05'],
])('F-02 writes %d basis points as %s percent', (rate_bp, percent) => {
  expect(percentOf(rate_bp)).toBe(percent)
})
