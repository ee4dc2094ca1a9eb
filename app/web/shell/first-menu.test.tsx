import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import '../styles.css'
import { queryClient } from '#foundation/web/api/query.ts'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { createPageRouter } from '../router.tsx'
import { followSession } from '../session.ts'

const plain = (path: string, text: string, shell = true) => ({
  path,
  page: () => Promise.resolve(() => <h1 tabIndex={-1}>{text}</h1>),
  title: () => text,
  ...(shell ? {} : { shell: false as const }),
})

it.each([
  [1280, '.rail nav :is(h2, a)', 'Admin, Tickets, Customers, All servers, User, Servers, Support, Finances'],
  [390, 'footer nav :is(a, button)', 'Tickets, Customers, Profile, More'],
])('R-12 draws the menu of staff once and whole after a sign-in, at %i px', async (width, items, whole) => {
  await page.viewport(width, 844)
  clearSession(seeSession())
  setLocale('en')
  for (const storage of [localStorage, sessionStorage]) storage.clear()
  queryClient.clear()
  await resetWire()
  const history = createMemoryHistory({ initialEntries: ['/account/auth/'] })
  const router = createPageRouter(
    [plain('/auth', 'Sign in', false), plain('/servers/list', 'Servers')],
    history,
  )
  const stop = followSession(router)
  await render(<RouterProvider router={router} />)
  const heading = () => document.querySelector('h1')?.textContent
  await expect.poll(heading).toBe('Sign in')

  const drawn = new Set<string>()
  const observer = new MutationObserver(() => {
    const texts = [...document.querySelectorAll(items)].map((item) => item.textContent)
    if (texts.length > 0) drawn.add(texts.join(', '))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const me = { permissions: ['customers.read'], two_factor: 'ok', waiting: 0 }
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: true, first_page: 'servers' } })
  await reply('GET /api/staff/me/', { status: 200, body: me, hold_ms: 500 })
  await inAct(() => {
    storeUser({ id: '1', display: 'Ann' })
    storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
  })
  await expect.poll(heading).toBe('Servers')
  const isAsked = async () => (await requests()).some(({ path }) => path.startsWith('/api/staff/me'))
  await expect.poll(isAsked).toBe(true)
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  observer.disconnect()
  stop()
  await page.viewport(1280, 800)
  expect([...drawn]).toEqual([whole])
})
