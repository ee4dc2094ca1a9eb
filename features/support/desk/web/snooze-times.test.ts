import { expect, it } from 'vitest'
import { snoozeTime } from './snooze-times.ts'

const at = (kind: Parameters<typeof snoozeTime>[0], now: Date) => {
  const time = snoozeTime(kind, now)
  return [time.getMonth() + 1, time.getDate(), time.getHours(), time.getDay()]
}

it('offers three hours, tomorrow, the coming Monday and a week, also over the end of a month', () => {
  const saturday = new Date(2026, 9, 31, 16, 20, 30)
  expect(snoozeTime('hours', saturday)).toEqual(new Date(2026, 9, 31, 19, 21))
  expect(at('tomorrow', saturday)).toEqual([11, 1, 9, 0])
  expect(at('monday', saturday)).toEqual([11, 2, 9, 1])
  expect(at('week', saturday)).toEqual([11, 7, 9, 6])
  for (const [day, monday] of [
    [1, 2],
    [2, 9],
    [3, 9],
  ] as const)
    expect(at('monday', new Date(2026, 10, day, 8))).toEqual([11, monday, 9, 1])
})
