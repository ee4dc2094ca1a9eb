import { expect, it } from 'vitest'
import { watchStorms } from './release-memory.ts'

const due = (...open: number[]) => {
  const isDue = watchStorms()
  return open.map((count) => isDue(count))
}

it('releases memory once when many streams have opened and stay', () => {
  expect(due(0, 900, 4000, 5000, 5000, 5000, 4990)).toEqual([false, false, false, false, true, false, false])
})

it('leaves a process alone whose streams come and go, become more little by little, or are few', () => {
  expect(due(0, 999, 999, 999)).not.toContain(true)
  expect(due(5000, 5000, 4800, 5100, 4900, 5000)).toEqual([false, true, false, false, false, false])
  expect(due(2000, 2000, 3500, 3500, 4900, 4900)).toEqual([false, true, false, false, false, false])
})

it('releases it again after all were away and came back', () => {
  expect(due(2000, 2000, 100, 2000, 2000)).toEqual([false, true, false, false, true])
  expect(due(2000, 2000, 5000, 5000)).toEqual([false, true, false, true])
})
