import { expect, it } from 'vitest'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { daysOf, periodOf, periods } from './period.ts'

const today = new Date(2026, 2, 1, 12)

it.each([
  ['all', '', ''],
  ['last_30_days', '2026-01-31', ''],
  ['this_month', '2026-03-01', ''],
  ['last_month', '2026-02-01', '2026-02-28'],
  ['this_year', '2026-01-01', ''],
  ['last_year', '2025-01-01', '2025-12-31'],
] as const)('knows the days of %s, and the period of the days', (period, from, to) => {
  expect(daysOf(period, today)).toEqual({ from, to })
  expect(periodOf({ from, to }, today)).toBe(period)
  expect(periods).toContain(period)
})

it('finds no named period for days that match none', () => {
  expect(periodOf({ from: '2026-01-02', to: '' }, today)).toBeUndefined()
})

it('takes both days whole, in the reader’s time zone', () => {
  expect(timesOf({ from: '2026-03-29', to: '2026-03-29' })).toEqual({
    from: new Date(2026, 2, 29).toISOString(),
    to: new Date(2026, 2, 30).toISOString(),
  })
})

it('asks for no day that the address only pretends to be one', () => {
  expect(timesOf({ from: '2026-02-30', to: 'tomorrow' })).toEqual({})
})
