import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listTickets } from '#features/support/tickets/contract.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { paced } from './unread.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

// Seen red with a fetch at each event: fifty events caused fifty-one fetches, and each cancelled the one before.
it('reloads lists at once, then once a second, and after the last event once more', () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries')
  const times = () =>
    asked.mock.calls.filter(([what]) => what?.queryKey?.[0] === keyOf(listTickets)[0]).length
  const refreshLists = paced(1000, () => refreshQueries(listTickets))
  refreshLists()
  expect(times()).toBe(1)
  for (let n = 0; n < 50; n += 1) refreshLists()
  expect(times()).toBe(1)
  vi.advanceTimersByTime(1000)
  expect(times()).toBe(2)
  vi.advanceTimersByTime(5000)
  expect(times()).toBe(2)
  refreshLists()
  expect(times()).toBe(3)
})
