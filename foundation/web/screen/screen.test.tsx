import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { inAct, render } from '#tests/web/render.tsx'
import { breakpoints, isLargeScreen, useLargeScreen } from './breakpoints.ts'
import { onResize } from './resize.ts'

describe('the width of the screen', () => {
  beforeEach(() => page.viewport(1280, 800))
  afterEach(() => page.viewport(1280, 800))

  it('G-03 breaks at 640, 768 and 1024 px', async () => {
    expect(breakpoints).toEqual({ small: 640, medium: 768, large: 1024 })
    await page.viewport(1024, 800)
    expect(isLargeScreen()).toBe(true)
    await page.viewport(1023, 800)
    expect(isLargeScreen()).toBe(false)
  })

  it('G-03 renders again when the width crosses a breakpoint', async () => {
    const Width = () => <p>{useLargeScreen() ? 'large' : 'small'}</p>
    const screen = await render(<Width />)
    expect(screen.textContent).toBe('large')
    await inAct(() => page.viewport(600, 800))
    await expect.poll(() => screen.textContent).toBe('small')
  })
})

describe('resizing', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([100, 50] as const)('G-03 is reported once, after %i ms of quiet', (debounce_ms) => {
    const heard = vi.fn<() => void>()
    const stop = onResize(heard, debounce_ms)
    for (let turn = 0; turn < 5; turn += 1) {
      window.dispatchEvent(new Event('resize'))
      vi.advanceTimersByTime(debounce_ms - 1)
    }
    expect(heard).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(heard).toHaveBeenCalledTimes(1)
    window.dispatchEvent(new Event('resize'))
    stop()
    vi.advanceTimersByTime(debounce_ms)
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
