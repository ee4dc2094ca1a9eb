import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import '#app/web/styles.css'
import { announceAnswer } from '#foundation/web/api/events.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { clearProgressError, currentProgress, finishProgress, startProgress } from './progress.ts'

const route = {
  id: 'x',
  tag: 'Servers',
  method: 'GET',
  path: '/api/x/',
  access: { who: 'customer' },
  summary: '',
  replies: {},
} as const
const answered = (status: number) =>
  announceAnswer({ status, body: undefined, errors: [], requestId: undefined }, route)
const bar = () => document.querySelector<HTMLElement>('[data-progress]') ?? document.body
const wait = (time_ms: number) => inAct(() => vi.advanceTimersByTime(time_ms))

describe('progress bar', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    await render(<ProgressBar />)
  })
  afterEach(async () => {
    await inAct(() => {
      finishProgress()
      clearProgressError()
    })
    await wait(1000)
    vi.useRealTimers()
  })

  it('T-08 waits 200 ms before it shows', async () => {
    await inAct(startProgress)
    await wait(199)
    expect(bar().dataset['progress']).toBe('hidden')
    await wait(1)
    expect(bar().dataset['progress']).toBe('running')
  })

  it('T-08 never shows for work that ends in less than 200 ms', async () => {
    await inAct(startProgress)
    await wait(150)
    await inAct(finishProgress)
    await wait(1000)
    expect(bar().dataset['progress']).toBe('hidden')
  })

  it('T-08 ticks each 100 ms towards 100 percent over 5000 ms', async () => {
    await inAct(startProgress)
    await wait(200)
    expect(currentProgress().percent).toBe(0)
    await wait(100)
    expect(currentProgress().percent).toBe(2)
    await wait(2400)
    expect(currentProgress().percent).toBe(50)
    await wait(2500)
    expect(currentProgress().percent).toBe(100)
    await wait(5000)
    expect(currentProgress().percent).toBe(100)
    expect(bar().style.transform).toBe('scaleX(1)')
  })

  it('T-08 turns red on an answer with 4xx or 5xx, and not on others', async () => {
    await inAct(startProgress)
    await wait(300)
    await inAct(() => answered(200))
    expect(bar().className).toContain('bg-accent')
    await inAct(() => answered(404))
    expect(bar().className).toContain('bg-danger')
    await inAct(clearProgressError)
    expect(bar().className).toContain('bg-accent')
    await inAct(() => answered(503))
    expect(bar().className).toContain('bg-danger')
  })

  it('T-08 is not red on a navigation that comes after somebody else was refused', async () => {
    await inAct(() => answered(400))
    await inAct(startProgress)
    await wait(300)
    expect(bar().className).toContain('bg-accent')
    await inAct(() => answered(400))
    expect(bar().className).toContain('bg-danger')
  })

  it('T-08 fades for 500 ms at the end', async () => {
    await inAct(startProgress)
    await wait(400)
    await inAct(finishProgress)
    expect(bar().dataset['progress']).toBe('fading')
    expect(currentProgress().percent).toBe(100)
    await wait(499)
    expect(bar().dataset['progress']).toBe('fading')
    await wait(1)
    expect(bar().dataset['progress']).toBe('hidden')
  })
})
