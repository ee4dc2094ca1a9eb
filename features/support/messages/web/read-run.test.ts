import { describe, expect, it } from 'vitest'
import { ReadRun } from './read-run.ts'

describe('the read mark', () => {
  it('includes messages whose end was in view for half a second without a break', () => {
    const run = new ReadRun(10)
    expect(run.look([11, 12], 0)).toBe(10)
    expect(run.look([11, 12], 499)).toBe(10)
    expect(run.look([11, 12], 500)).toBe(12)
    // 13 went out of view in between, as when the window lost the focus.
    expect(run.look([13], 600)).toBe(12)
    expect(run.look([], 900)).toBe(12)
    expect(run.look([13], 1200)).toBe(12)
    expect(run.look([13], 1700)).toBe(13)
  })

  it('stops before messages skipped by a jump to the end, until they were seen too', () => {
    const run = new ReadRun(10)
    run.look([48, 49, 50], 0)
    expect(run.look([48, 49, 50], 600)).toBe(10)
    for (let seq = 11; seq < 48; seq += 1) run.look([seq], seq * 1000)
    expect(run.mark).toBe(10)
    for (let seq = 11; seq < 48; seq += 1) {
      run.look([seq], seq * 2000)
      run.look([seq], seq * 2000 + 500)
    }
    expect(run.mark).toBe(50)
  })

  it('tells when the next message counts as seen', () => {
    const run = new ReadRun(10)
    expect(run.msUntilNext(0)).toBe(Infinity)
    run.look([11], 0)
    run.look([11, 12], 150)
    expect(run.msUntilNext(200)).toBe(300)
    run.look([11, 12], 500)
    expect(run.msUntilNext(500)).toBe(150)
    run.look([11], 600)
    expect(run.msUntilNext(600)).toBe(Infinity)
  })

  it('continues over one’s own messages and from the mark of another tab', () => {
    const run = new ReadRun(1)
    run.skip([3, 5])
    run.look([2, 4], 0)
    expect(run.look([2, 4], 500)).toBe(5)
    expect(run.raiseTo(4)).toBe(5)
    expect(run.raiseTo(9)).toBe(9)
  })
})
