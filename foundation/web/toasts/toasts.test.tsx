import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { inAct, render } from '#tests/web/render.tsx'
import '#app/web/styles.css'
import { ToastList } from './toast-list.tsx'
import { clearToasts, toast, toastError } from './toasts.ts'

const cards = () => [...document.querySelectorAll<HTMLElement>('[data-toast]')]
const texts = () => cards().map((card) => card.textContent)
const show = (input: Parameters<typeof toast>[0]) => inAct(() => toast(input))

describe('toasts', () => {
  beforeEach(async () => {
    await page.viewport(1280, 800)
    vi.useFakeTimers({ shouldAdvanceTime: false, toFake: ['setTimeout', 'clearTimeout'] })
    await render(<ToastList />)
  })
  afterEach(async () => {
    await inAct(clearToasts)
    vi.useRealTimers()
  })

  it('T-01 has three types, warning by default, each with its icon', async () => {
    await show({ message: 'a' })
    await show({ message: 'b', type: 'success' })
    await show({ message: 'c', type: 'error' })
    expect(cards().map((card) => card.dataset['toast'])).toEqual(['warning', 'success', 'error'])
    const icons = cards().map((card) => card.querySelector('svg')?.getAttribute('class') ?? '')
    expect(icons[0]).toContain('lucide-megaphone')
    expect(icons[1]).toContain('lucide-circle-check')
    expect(icons[2]).toContain('lucide-triangle-alert')
  })

  it('T-02 closes on a click, or by its button only where it is closeable', async () => {
    await show({ message: 'plain' })
    await show({ message: 'closeable', closeable: true })
    expect(cards()[0]?.querySelector('button')).toBeNull()
    await inAct(() => cards()[0]?.click())
    expect(texts()).toEqual(['closeable'])
    await inAct(() => cards()[0]?.click())
    expect(texts()).toEqual(['closeable'])
    await inAct(() => cards()[0]?.querySelector('button')?.click())
    expect(texts()).toEqual([])
  })

  it('T-03 opens the full message behind a More button', async () => {
    await show({ message: 'short', extended: 'the whole story' })
    const more = page.getByRole('button', { name: 'More' })
    await inAct(() => (more.element() as HTMLElement).click())
    const dialog = document.querySelector('dialog[open]')
    expect(dialog?.textContent).toContain('the whole story')
  })

  it('T-03 T-04 keeps an error until it is closed, its reason and request id behind More, an element in its place', async () => {
    const errors = [{ code: 'network' } as const]
    await inAct(() => toastError('It failed', { errors, requestId: 'req-7' }, <strong>notes.pdf</strong>))
    expect(cards()[0]?.dataset['toast']).toBe('error')
    expect(cards()[0]?.querySelector('strong')?.textContent).toBe('notes.pdf')
    await inAct(() => vi.advanceTimersByTime(60_000))
    await inAct(() => (page.getByRole('button', { name: 'More' }).element() as HTMLElement).click())
    const dialog = document.querySelector('dialog[open]')
    expect(dialog?.textContent).toContain('req-7')
    expect(dialog?.textContent).toMatch(/network|connection|reach/i)
  })

  // This once failed: three toasts with the same refusal were shown.
  it('K-04 shows a refusal that several calls meet at once only once, with the latest request id', async () => {
    await inAct(() => {
      toastError('No access')
      for (const requestId of ['req-1', 'req-2', 'req-3'])
        toastError(() => 'No access', { errors: [{ code: 'not_allowed' }], requestId })
      toastError('No access')
    })
    expect(cards()).toHaveLength(1)
    await inAct(() => vi.advanceTimersByTime(60_000))
    await inAct(() => (page.getByRole('button', { name: 'More' }).element() as HTMLElement).click())
    expect(document.querySelector('dialog[open]')?.textContent).toContain('req-3')
  })

  it('keeps errors apart that have an element of their own, and shows an equal success once', async () => {
    await inAct(() => {
      for (const name of ['a.txt', 'b.txt']) toastError('Failed to upload', { errors: [] }, <b>{name}</b>)
      for (let time = 0; time < 2; time += 1) toast({ type: 'success', message: 'Saved' })
    })
    expect(cards().map((card) => card.querySelector('b')?.textContent ?? card.textContent)).toEqual([
      'a.txt',
      'b.txt',
      'Saved',
    ])
  })

  it('T-04 shows a rendered node in place of the message', async () => {
    await show({ message: 'plain', node: <strong>bold</strong> })
    expect(document.querySelector('[data-toast] strong')?.textContent).toBe('bold')
    expect(texts()).toEqual(['bold'])
  })

  it('T-05 goes after 3000 ms; a closeable error stays', async () => {
    await show({ message: 'goes', type: 'error' })
    await show({ message: 'stays', type: 'error', closeable: true })
    await inAct(() => vi.advanceTimersByTime(2999))
    expect(texts()).toEqual(['goes', 'stays'])
    await inAct(() => vi.advanceTimersByTime(1))
    expect(texts()).toEqual(['stays'])
    await inAct(() => vi.advanceTimersByTime(60_000))
    expect(texts()).toEqual(['stays'])
  })

  it('T-06 adds none while an auth error is shown', async () => {
    await show({ message: 'expired', isAuthError: true, closeable: true })
    await show({ message: 'another', type: 'error' })
    expect(texts()).toEqual(['expired'])
    await inAct(() => cards()[0]?.querySelector('button')?.click())
    await show({ message: 'another', type: 'error' })
    expect(texts()).toEqual(['another'])
  })

  it('T-07 is at the bottom of large screens and reversed at the top of small ones', async () => {
    await show({ message: 'first', closeable: true })
    await show({ message: 'second', closeable: true })
    const list = document.querySelector<HTMLElement>('.toasts')
    const box = () => list?.getBoundingClientRect() ?? new DOMRect()
    expect(getComputedStyle(list ?? document.body).zIndex).toBe('2000')
    expect(texts()).toEqual(['first', 'second'])
    expect(box().bottom).toBeGreaterThan(700)
    expect(box().width).toBeGreaterThan(320)

    // The window gets its new size some time after the browser was resized.
    const resized = new Promise((resolve) => window.addEventListener('resize', resolve, { once: true }))
    await page.viewport(360, 740)
    await resized
    await inAct(() => vi.advanceTimersByTime(100))
    expect(texts()).toEqual(['second', 'first'])
    expect(box().top).toBeLessThan(40)
    expect(box().width).toBe(320)
    // Seen red: it lay over the header, and took its buttons away for three seconds.
    const header = document.createElement('header')
    header.className = 'top-bar sticky top-0 h-14'
    document.body.prepend(header)
    expect(box().top).toBeGreaterThanOrEqual(header.getBoundingClientRect().bottom)
    header.remove()
  })

  // Seen red: it lay on the button that puts an announcement away.
  it.each([true, false])(
    'lies above what stands at the foot of a large screen (closeable: %s)',
    async (closeable) => {
      const foot = document.createElement('div')
      foot.className = 'fixed inset-x-4 at-foot'
      foot.style.height = '60px'
      document.body.append(foot)
      await show({ message: 'above', closeable })
      expect(cards()[0]?.getBoundingClientRect().bottom).toBeLessThan(foot.getBoundingClientRect().top)
      foot.remove()
    },
  )

  it('T-07 lies above an open dialog', async () => {
    const dialog = document.createElement('dialog')
    document.body.append(dialog)
    dialog.showModal()
    await show({ message: 'above', closeable: true })
    const box = cards()[0]?.getBoundingClientRect() ?? new DOMRect()
    const list = document.querySelector('.toasts')
    expect(list?.matches(':popover-open')).toBe(true)
    expect(box.height).toBeGreaterThan(0)
    dialog.remove()
  })
})
