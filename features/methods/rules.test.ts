import { expect, it } from 'vitest'
import { isExpired, WARNED_DAYS } from './rules.ts'

it('a card can be charged on its last day, and not on the next', () => {
  expect(isExpired('2031-04-30', new Date('2031-04-30T23:59:00Z'))).toBe(false)
  expect(isExpired('2031-04-30', new Date('2031-05-01T00:00:00Z'))).toBe(true)
  expect(isExpired(null, new Date())).toBe(false)
})

it('tells of the end of a card twice, and looks for the later time first', () => {
  expect(WARNED_DAYS).toEqual([7, 30])
})
