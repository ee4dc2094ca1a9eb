import { expect, it } from 'vitest'
import { holidaysText, hoursText, readHolidays, readHours, readTarget, targetText } from './rules.ts'

it.each([
  ['09:00–17:00', '09:00–17:00'],
  ['9-17', '09:00–17:00'],
  ['8.30 bis 24', '08:30–24:00'],
  ['', ''],
])('hours that are typed as %j are %j', (typed, shown) => {
  const hours = readHours(typed)
  expect(hours === undefined ? undefined : hoursText(hours)).toBe(shown)
})

it.each(['17-9', '9-9', '9', '25-26', '9:60-17', 'always', '24:30-24:45', '9-24:15'])(
  '%j are no hours',
  (typed) => expect(readHours(typed)).toBeUndefined(),
)

it.each([
  ['4', 240],
  ['0.5', 30],
  ['1,25', 75],
  ['', null],
  ['0', undefined],
  ['721', undefined],
  ['4 h', undefined],
])('a target of %j hours is %j minutes', (typed, minutes) => {
  const read = readTarget(typed)
  expect(read).toBe(minutes)
  if (read !== undefined) expect(readTarget(targetText(read))).toBe(read)
})

it('holidays are read by line, and written the same', () => {
  const holidays = readHolidays('2026-12-25 Christmas Day\n\n2027-01-01')
  expect(holidays).toEqual([
    { day: '2026-12-25', name: 'Christmas Day' },
    { day: '2027-01-01', name: '' },
  ])
  expect(holidaysText(holidays ?? [])).toBe('2026-12-25 Christmas Day\n2027-01-01')
  expect(readHolidays('Christmas')).toBeUndefined()
})
