import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { afterEach, expect, it } from 'vitest'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens } from '#tests/web/stored.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { reply, resetWire } from '#tests/web/wire.ts'
import { pages } from './features.ts'
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
  clearSession(seeSession())
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

// Seen red: who opened the mailed link in another browser than the one that signed up saw an empty list of servers.
it.each([
  ['invited', '/settings/people'],
  ['active', '/servers/list'],
])('O-01 a sign-in with an invitation that is %s leads to %s', async (state, to) => {
  await resetWire()
  await reply('GET /api/sharing/grants/', { status: 200, body: { items: [{ state }] } })
  storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
  const router = createPageRouter(
    ['/auth', '/settings/people', '/servers/list'].map(plain),
    createMemoryHistory({ initialEntries: ['/account/'] }),
  )
  await render(<RouterProvider router={router} />)
  await expect.poll(() => router.state.location.pathname).toBe(to)
})

it('C-04, R-07 shows the pages of mails to people who cannot sign in on the sign-in page, by their links and by the address to which these lead', async () => {
  const viewed = pages.filter(({ authView }) => authView !== undefined)
  expect(viewed.map(({ path }) => path)).toEqual(['/data-export', '/stop-news', '/factor-reset'])
  const known = [plain('/auth'), ...viewed.map(({ path, authView = '' }) => ({ ...plain(path), authView }))]
  const shown = () => [...document.querySelectorAll('h1')].at(-1)?.textContent
  for (const { path, authView = '' } of viewed)
    for (const link of [`${path}?key=a%2Fb`, `${path}/?key=a%2Fb`, `/auth?view=${authView}&key=a%2Fb`]) {
      clearSession(seeSession())
      const history = createMemoryHistory({ initialEntries: [`/account${link}`] })
      const router = createPageRouter(known, history)
      await render(<RouterProvider router={router} />)
      await expect.poll(shown).toBe(path)
      expect(router.state.location.pathname.replace(/\/$/u, '')).toBe('/auth')
      expect(router.state.location.search).toEqual({ view: authView, key: 'a/b' })
      storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
      await inAct(() => router.invalidate())
      await expect.poll(() => router.state.location.pathname).toBe(path)
      expect(router.state.location.search).toEqual({ key: 'a/b' })
    }
  clearSession(seeSession())
  const router = createPageRouter(known, createMemoryHistory({ initialEntries: ['/account/data-export'] }))
  await render(<RouterProvider router={router} />)
  await expect.poll(shown).toBe('/auth')
})
