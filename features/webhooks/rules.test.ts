import { expect, it } from 'vitest'
import { givesWay, isSuccess, pauseAfter_s } from './rules.ts'

it('O-13 a failed event is sent again after pauses that grow to four hours, and gives way after 20 failures over six hours', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 30].map(pauseAfter_s)
  expect(pauses).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400])
  expect([givesWay(20, 7), givesWay(19, 7), givesWay(20, 6)]).toEqual([true, false, false])
})

it('O-13 an event has arrived with any 2xx, and with no redirect', () => {
  expect([200, 204, 299].map(isSuccess)).toEqual([true, true, true])
  expect([undefined, 199, 300, 302, 410, 500].map(isSuccess)).not.toContain(true)
})
