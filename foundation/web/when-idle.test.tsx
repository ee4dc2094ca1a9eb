import { expect, it, onTestFinished, vi } from 'vitest'
import { whenIdle } from './when-idle.ts'

// This failed while the first idle time was enough: the browser may be idle before it draws new content.
it('calls back after the page was drawn, though the browser was at rest before', async () => {
  const atOnce = vi.spyOn(window, 'requestIdleCallback').mockImplementation((run) => setTimeout(run, 0))
  onTestFinished(() => atOnce.mockRestore())
  const order: string[] = []
  await new Promise<void>((resolve) => {
    whenIdle(() => {
      order.push('idle')
      resolve()
    })
    requestAnimationFrame(() => order.push('drawn'))
  })
  expect(order).toEqual(['drawn', 'idle'])
})

it('a cancelled callback is not called', async () => {
  let called = false
  const callOff = whenIdle(() => {
    called = true
  })
  callOff()
  await new Promise<void>((resolve) => whenIdle(resolve))
  expect(called).toBe(false)
})
