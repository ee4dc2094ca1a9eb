import { expect, it } from 'vitest'
import { daysOf, quarterAfter, quartersBefore } from './rules.ts'

it('a quarter has its days, and those before it are counted over the end of a year', () => {
  expect(daysOf('2026-Q1')).toEqual({ first_day: '2026-01-01', next_day: '2026-04-01' })
  expect(daysOf('2026-Q4')).toEqual({ first_day: '2026-10-01', next_day: '2027-01-01' })
  expect(quartersBefore('2026-02-28', 3)).toEqual(['2025-Q4', '2025-Q3', '2025-Q2'])
  expect(quartersBefore('2026-12-31', 1)).toEqual(['2026-Q3'])
  expect(['2026-Q3', '2026-Q4'].map(quarterAfter)).toEqual(['2026-Q4', '2027-Q1'])
})
