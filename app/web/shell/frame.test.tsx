import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { m } from '#texts/messages.js'
import { inAct, render } from '#tests/web/render.tsx'
import { createPageRouter } from '../router.tsx'

it('shows that the network is away, also where it went before the page had loaded all its code', async () => {
  // Code that is loaded after the page has shown waits for the browser to be idle.
  vi.spyOn(window, 'requestIdleCallback').mockReturnValue(0)
  const history = createMemoryHistory({ initialEntries: ['/account/auth'] })
  const page = () => Promise.resolve(() => <h1>Sign in</h1>)
  await render(<RouterProvider router={createPageRouter([{ path: '/auth', page, shell: false }], history)} />)
  await expect.poll(() => document.querySelector('h1')).not.toBeNull()
  expect(document.body.textContent).not.toContain(m.ui_offline())
  await inAct(() => window.dispatchEvent(new Event('offline')))
  expect(document.body.textContent).toContain(m.ui_offline())
  await inAct(() => window.dispatchEvent(new Event('online')))
  expect(document.body.textContent).not.toContain(m.ui_offline())
})

it('R-17 a page that threw leaves the others as they are, and comes back with another try', async () => {
  let broken = true
  const Failing = () => {
    if (broken) throw new TypeError('broken')
    return <h1>Mended</h1>
  }
  const pages = [
    { path: '/auth', page: async () => () => <h1>Sign in</h1>, shell: false },
    { path: '/rules', authView: 'rules', page: async () => Failing, shell: false },
  ] as const
  const history = createMemoryHistory({ initialEntries: ['/account/rules?key=a'] })
  const router = createPageRouter(pages, history)
  const heading = () => document.querySelector('h1')?.textContent
  await render(<RouterProvider router={router} />)
  await expect.poll(heading).toBe(m.shell_failed())
  await inAct(() => router.navigate({ to: '/auth' }))
  await expect.poll(heading).toBe('Sign in')
  await inAct(() => router.navigate({ to: '/rules', search: { key: 'a' } }))
  await expect.poll(heading).toBe(m.shell_failed())
  broken = false
  await page.getByRole('button', { name: m.ui_retry() }).click()
  await expect.poll(heading).toBe('Mended')
})
