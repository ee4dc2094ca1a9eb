import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { expect, it, vi } from 'vitest'
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
