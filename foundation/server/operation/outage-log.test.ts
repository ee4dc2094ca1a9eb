import { expect, it, vi } from 'vitest'
import type { Log } from '#foundation/server/log.ts'
import { logUnavailable } from './outage-log.ts'

it('rule 34: an outage of the database is a line each 5 s, however many requests it fails', () => {
  vi.useFakeTimers()
  const lines: Record<string, unknown>[] = []
  const app = { log: { warn: (line: Record<string, unknown>) => lines.push(line) } as unknown as Log }
  const fail = (id: number) =>
    logUnavailable(app, { request_id: String(id) }, new Error('connect ECONNREFUSED'))
  for (let id = 0; id < 1000; id += 1) fail(id)
  expect(lines).toEqual([{ request_id: '0', reason: 'connect ECONNREFUSED' }])
  vi.advanceTimersByTime(5000)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ more: 998 })
  vi.advanceTimersByTime(5000)
  expect(lines, 'nothing more is said when nothing more fails').toHaveLength(2)
  fail(1000)
  expect(lines[2]).toEqual({ request_id: '1000', reason: 'connect ECONNREFUSED' })
  vi.useRealTimers()
})
