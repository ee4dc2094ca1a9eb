import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { afterEach, expect, it } from 'vitest'
import { clearSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens } from '#tests/web/stored.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { createPageRouter } from './router.tsx'
import { followSession } from './session.ts'

const plain = (path: string): PageRoute => ({
  path,
  page: () => Promise.resolve(() => <h1>{path}</h1>),
  shell: false,
})

let stop: () => void = () => undefined
afterEach(() => {
  stop()
  clearSession()
})

it('R-07 leads on to an invitation, in the tab that comes back from another mail, and at once if signed in', async () => {
  const history = createMemoryHistory({ initialEntries: ['/account/auth?invite=a%2Fb'] })
  const router = createPageRouter(['/auth', '/invitation', '/servers/list'].map(plain), history)
  stop = followSession(router)
  await render(<RouterProvider router={router} />)
  const path = () => history.location.pathname.replace('/account', '')
  await expect.poll(() => document.querySelector('h1')?.textContent).toBe('/auth')
  sessionStorage.clear()
  storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
  await expect.poll(path).toBe('/invitation')
  expect(router.state.location.search).toEqual({ key: 'a/b' })
  await inAct(() => router.navigate({ to: '/' }))
  await expect.poll(path).toBe('/servers/list')
  await inAct(() => router.navigate({ to: '/auth', search: { invite: 'c' } }))
  await expect.poll(path).toBe('/invitation')
})

it('C-04 opens the links of mails that are for people who cannot sign in', async () => {
  for (const path of ['/data-export', '/factor-reset']) {
    const history = createMemoryHistory({ initialEntries: [`/account${path}?key=a`] })
    const router = createPageRouter(['/auth', path].map(plain), history)
    await render(<RouterProvider router={router} />)
    await expect.poll(() => [...document.querySelectorAll('h1')].at(-1)?.textContent).toBe(path)
    expect(router.state.location.search).toEqual({ key: 'a' })
  }
})
