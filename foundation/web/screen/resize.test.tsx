import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { inAct, render } from '#tests/web/render.tsx'
import { breakpoints, useLargeScreen } from './breakpoints.ts'
import { onResize } from './resize.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const resize = () => window.dispatchEvent(new Event('resize'))

it.each([100, 50] as const)('G-03 hears of a new size once, %i ms after the last change', (debounce_ms) => {
  let heard = 0
  const stop = onResize(() => (heard += 1), debounce_ms)
  resize()
  vi.advanceTimersByTime(debounce_ms - 1)
  resize()
  vi.advanceTimersByTime(debounce_ms - 1)
  expect(heard).toBe(0)
  vi.advanceTimersByTime(1)
  expect(heard).toBe(1)
  resize()
  stop()
  vi.advanceTimersByTime(1000)
  expect(heard).toBe(1)
})

it('G-03 calls a screen large from 1024 px', async () => {
  function Size() {
    return <p>{useLargeScreen() ? 'large' : 'small'}</p>
  }
  await page.viewport(1024, 800)
  const shown = await render(<Size />)
  expect(shown.textContent).toBe('large')
  // The window gets its new size some time after the browser was resized.
  const resized = new Promise((resolve) => window.addEventListener('resize', resolve, { once: true }))
  await page.viewport(1023, 800)
  await resized
  await inAct(() => vi.advanceTimersByTime(100))
  expect(shown.textContent).toBe('small')
  expect(breakpoints).toEqual({ small: 640, medium: 768, large: 1024 })
})
