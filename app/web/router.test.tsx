import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import './styles.css'
import { countUnread } from '#features/support/tickets/contract.ts'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { currentProgress, failProgress } from '#foundation/web/progress-bar/progress.ts'
import { setTheme } from '#foundation/web/theme/theme.ts'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { inAct, press, render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { pages as allPages } from './features.ts'
import { createPageRouter } from './router.tsx'
import { followSession } from './session.ts'
const person = {
  id: '1',
  email: 'ann@example.org',
  name: 'Ann',
  middle_name: 'Maria',
  surname: 'Lind',
  display: 'ann@example.org',
  is_staff: false,
  country: '',
  language: '3f1c8a52-6f0e-4a3b-9d57-2b8e4c1a7e01',
  time_zone: 'Europe/Berlin',
  address: '',
  apartment: '',
  zip: '',
  city: '',
  state: '',
}

// Simple pages stand for the pages of features, which have tests of their own.
const plain = (path: string, text: string, more: Partial<PageRoute> = {}): PageRoute => ({
  path,
  page: () => Promise.resolve(() => <h1 tabIndex={-1}>{text}</h1>),
  title: () => text,
  ...more,
})
const pages = [
  ...allPages.filter(({ path }) => !/^\/(auth|logout|settings)/u.test(path)),
  plain('/auth', 'AuthPage', { shell: false }),
  plain('/logout', 'LogoutPage', { shell: false }),
  plain('/settings/account', 'ProfilePage'),
  plain('/settings/security', 'ProfileSecurityPage'),
]

const signIn = async (profile: Partial<typeof person> & { first_page?: string } = {}) => {
  const done = (route: string, body: object) => reply(`GET /api/${route}/`, { status: 200, body })
  await done('users/detail', { ...person, ...profile })
  await done('staff/me', { permissions: ['customers.read'], two_factor: 'ok' })
  await done('tickets/unread', { count: 0 })
  await done('announcements', { items: [] })
  storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
}

const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

async function open(path: string, shown = pages) {
  const history = createMemoryHistory({ initialEntries: [`/account${path}`] })
  const router = createPageRouter(shown, history)
  stops.push(followSession(router))
  await render(<RouterProvider router={router} />)
  await expect.poll(() => document.querySelector('h1')?.textContent).toBeTruthy()
  return {
    history,
    router,
    path: () => history.location.pathname.replace('/account', ''),
    go: (to: string) => inAct(() => router.navigate({ to })),
  }
}
const heading = () => document.querySelector('h1')?.textContent
const visible = (element: Element | null) => element !== null && element.checkVisibility()
const keydown = (key: string) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
const type = (...keys: string[]) =>
  inAct(() => keys.forEach((key) => document.activeElement?.dispatchEvent(keydown(key))))
const rail = () => document.querySelector('.rail')

beforeEach(async () => {
  await page.viewport(1280, 800)
  clearSession(seeSession())
  setLocale('en')
  for (const storage of [localStorage, sessionStorage]) storage.clear()
  queryClient.clear()
  await resetWire()
})
afterEach(() => inAct(clearToasts))

describe('routes', () => {
  it.each([
    ['R-01', '/', '/servers/list', 'Servers'],
    ['R-12', '/', '/staff-tickets', 'Tickets', 'tickets'],
    ['R-01', '/servers/', '/servers/list', 'Servers'],
    ['R-02', '/servers/host/abc', '/servers/host/abc', 'Server not found'],
    ['R-03', '/staff-tickets/', '/staff-tickets/', 'Tickets'],
    ['R-03', '/staff-tickets/abc', '/staff-tickets/abc', 'Ticket not found'],
    ['R-04', '/tickets/', '/tickets/', 'Support'],
    ['R-04', '/tickets/abc', '/tickets/abc', 'Ticket not found'],
    ['R-04', '/support/', '/support/', 'Support'],
    ['R-04', '/support/abc', '/support/abc', 'Ticket not found'],
    ['R-05', '/settings/', '/settings/account', 'ProfilePage'],
    ['R-05', '/settings/security', '/settings/security', 'ProfileSecurityPage'],
    ['R-06', '/invoices/abc', '/invoices/abc', 'Invoice not found'],
    ['R-06', '/logout', '/logout', 'LogoutPage'],
    ['R-06', '/nowhere/at/all', '/nowhere/at/all', 'Page not found'],
    ['finances', '/finances/', '/finances/', 'Finances'],
  ])('%s %s leads to %s', async (_, from, to, title, first_page = 'servers') => {
    await signIn({ is_staff: true, first_page })
    const { path } = await open(from)
    await expect.poll(heading).toBe(title)
    expect(path()).toBe(to)
    await expect.poll(() => document.title).toContain('Hostdesk')
  })

  it.each(['/', '/servers/list', '/logout', '/settings/security', '/nowhere'])(
    'R-07 replaces %s by the auth page without a token',
    async (from) => {
      const { path, history } = await open(from)
      await expect.poll(heading).toBe('AuthPage')
      expect(path()).toBe('/auth/')
      expect(history.length).toBe(1)
    },
  )

  it('R-07 replaces the auth page by the first page with a token', async () => {
    await signIn()
    const { path, history } = await open('/auth')
    await expect.poll(path).toBe('/servers/list')
    expect(history.length).toBe(1)
  })

  it('A-11 A-01 leaves the auth page when a token appears, and comes back when it goes', async () => {
    const { path } = await open('/auth')
    await reply('GET /api/users/detail/', { status: 200, body: person })
    const frame = document.createElement('iframe')
    document.body.append(frame)
    // Another tab signs in and out: this one follows by the storage event.
    frame.contentWindow?.localStorage.setItem('access_token', 'x.e30.x')
    await expect.poll(path).toBe('/servers/list')
    await expect
      .poll(async () => (await requests()).map((request) => request.path))
      .toContain('/api/users/detail/')
    frame.contentWindow?.localStorage.removeItem('access_token')
    await expect.poll(path).toBe('/auth/')
    await expect.poll(() => queryClient.getQueryCache().getAll()).toEqual([])
    frame.remove()
  })

  it('A-10 ends an expired session with a toast that stays, on the auth page', async () => {
    await signIn()
    await reply('GET /api/users/detail/', { status: 401 })
    await reply('POST /api/allauth/app/v1/tokens/refresh', { status: 400, body: { status: 400 } })
    const { path } = await open('/servers/list')
    await expect.poll(path).toBe('/auth/')
    const [toast, ...more] = currentToasts()
    expect(more).toEqual([])
    expect(toast).toMatchObject({ type: 'warning', closeable: true, isAuthError: true })
    expect(toastText(toast?.message ?? '')).toBe('Session expired. Login again to proceed')
    expect(localStorage.getItem('refresh_token')).toBeNull()
  })

  it('A-11 brings screen and profile to one language', async () => {
    await signIn({ language: 'c4a96f17-9e2d-4b85-8c31-7f5a0d4e6b03' })
    await open('/servers/list')
    await expect.poll(heading).toBe('Серверы')
    expect(document.documentElement.lang).toBe('ru')
  })

  it('A-11 does not change the language of profile and mails to what is stored on the device', async () => {
    setLocale('de')
    await signIn()
    await open('/servers/list')
    await expect.poll(heading).toBe('Servers')
    expect((await requests()).filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  it('R-07 leads on to where somebody wanted to go before they signed in, once', async () => {
    const { path, router } = await open('/tickets?tab=closed')
    expect(path()).toBe('/auth/')
    await signIn()
    await expect.poll(path).toBe('/tickets')
    expect(router.state.location.search).toEqual({ tab: 'closed' })
    await inAct(() => router.navigate({ to: '/' }))
    await expect.poll(path).toBe('/servers/list')
  })

  it.each([
    ['the same person', '1', '/finances'],
    ['nobody else', '2', '/servers/list'],
  ])('A-10 leads back to the page on which the session ended: %s', async (_who, id, place) => {
    storeUser({ id: '1', display: 'Ann' })
    await signIn()
    const { path } = await open('/finances')
    await inAct(() => clearSession(seeSession()))
    await expect.poll(path).toBe('/auth/')
    storeUser({ id, display: 'somebody' })
    await signIn()
    await expect.poll(path).toBe(place)
  })

  it.each([
    '//evil.example/x',
    String.raw`/\evil.example`,
    'https://evil.example',
    '/logout',
    '/auth/?x=1',
    '{',
  ])('R-07 never leads to another origin or out again: %s', async (kept) => {
    const { path } = await open('/auth/')
    sessionStorage.setItem('return_to', `${new URLSearchParams({ path: kept, at_ms: `${Date.now()}` })}`)
    await signIn()
    await expect.poll(path).toBe('/servers/list')
  })

  it('R-08 runs the progress bar until the page is there, and forgets its error', async () => {
    await signIn()
    let arrive: () => void = Boolean
    const slow = plain('/slow', 'Slow', {
      page: () => new Promise((resolve) => (arrive = () => resolve(() => <h1>Slow</h1>))),
    })
    const { router } = await open('/settings/account', [...pages, slow])
    await expect.poll(() => currentProgress().phase).toBe('hidden')
    void router.navigate({ to: '/slow' })
    await expect.poll(() => currentProgress().phase).toBe('running')
    failProgress()
    arrive()
    await expect.poll(heading).toBe('Slow')
    await expect.poll(currentProgress).toMatchObject({ phase: 'hidden', failed: false })
  })

  it('R-17 shows the error page with another try when a page does not load', async () => {
    await signIn()
    const broken = plain('/broken', '', { page: () => Promise.reject(new TypeError('Failed to fetch')) })
    const { go } = await open('/servers/list', [...pages, broken])
    await go('/broken')
    await expect.poll(heading).toBe('We couldn’t display this page')
    expect(page.getByRole('button', { name: 'Try again' }).query()).not.toBeNull()
  })

  it('R-17 shows nothing when the navigation was given up', async () => {
    await signIn()
    let fail: () => void = Boolean
    const broken = plain('/broken', '', {
      page: () => new Promise((_, reject) => (fail = () => reject(new TypeError('Failed to fetch')))),
    })
    const { router, go } = await open('/servers/list', [...pages, broken])
    void router.navigate({ to: '/broken' })
    await expect.poll(() => currentProgress().phase).toBe('running')
    await go('/tickets')
    fail()
    await expect.poll(heading).toBe('Support')
    await new Promise((later) => setTimeout(later, 100))
    expect(heading()).toBe('Support')
  })

  it('G-04 shows all but staff that they may not', async () => {
    await signIn()
    await open('/staff-tickets')
    await expect.poll(heading).toBe('No access')
    // Seen red: a toast said the sentence of the page again, and the title was the product's name alone.
    expect((await requests()).filter(({ path }) => path.startsWith('/api/staff/'))).toEqual([])
    expect(currentToasts()).toEqual([])
    await expect.poll(() => document.title).toMatch(/^No access/u)
    const content = document.querySelector('#content')?.textContent
    expect(content).toContain('You are not allowed to access this section')
  })
})

describe('shell', () => {
  it.each(['/auth', '/logout'])('R-09 leaves %s alone', async (path) => {
    if (path === '/logout') await signIn()
    await open(path)
    await expect.poll(heading).toBeTruthy()
    expect(document.querySelector('nav')).toBeNull()
    expect(rail()).toBeNull()
  })

  it('R-10 has a rail on large screens, header, drawer and footer on small ones', async () => {
    await signIn()
    await open('/servers/list')
    const menu = () => document.querySelector('button[aria-label=Menu]')
    const footer = () => document.querySelector('nav[aria-label=Shortcuts]')
    await expect.poll(() => visible(rail())).toBe(true)
    expect([visible(menu()), visible(footer())]).toEqual([false, false])
    await page.viewport(768, 800)
    expect([visible(rail()), visible(menu()), visible(footer())]).toEqual([true, false, false])
    expect(rail()?.getBoundingClientRect().width, 'a rail of icons').toBeLessThan(70)
    await page.viewport(767, 800)
    expect([visible(rail()), visible(menu()), visible(footer())]).toEqual([false, true, true])
    await press(page.getByRole('button', { name: 'Menu' }))
    await expect.poll(() => document.querySelector('dialog[open]')?.getBoundingClientRect().left).toBe(0)
    // G-03: the drawer closes when the screen grows to one with a rail, also if an answer redraws the page just then (this once failed).
    const answer = () => queryClient.setQueryData(keyOf(countUnread), { count: 2 })
    window.addEventListener('resize', answer, { once: true })
    await page.viewport(768, 800)
    await expect.poll(() => document.querySelector('dialog[open]')).toBeNull()
  })

  it('lets the window scroll, never a box in it, and nothing sticks in a window that is low', async () => {
    await signIn()
    await page.viewport(360, 740)
    await open('/servers/list')
    const header = () => document.querySelector('header:has(button[aria-label=Menu])')!
    await expect.poll(() => visible(header())).toBe(true)
    expect(getComputedStyle(document.querySelector('#content')!).overflowY).toBe('visible')
    expect(getComputedStyle(header()).position).toBe('sticky')
    await page.viewport(320, 256)
    expect(getComputedStyle(header()).position, 'at 400 %').toBe('static')
  })

  it('marks the place in the navigation as the present one, not the way home on the mark', async () => {
    await signIn()
    await open('/servers/list')
    await expect.poll(() => document.querySelectorAll('[aria-current=page]').length).toBeGreaterThan(0)
    const marked = [...document.querySelectorAll('[aria-current=page]')]
    expect(marked.filter((link) => link.closest('nav') === null)).toEqual([])
  })

  it.each(['/tickets/abc', '/servers/host/abc', '/staff-tickets/abc'])(
    'R-11 has a spacer instead of the menu button on %s',
    async (path) => {
      await signIn({ is_staff: true })
      await page.viewport(360, 740)
      await open(path)
      await expect.poll(() => visible(document.querySelector('[data-spacer]'))).toBe(true)
      expect(document.querySelector('button[aria-label=Menu]')).toBeNull()
    },
  )

  it('R-12 shows Servers and Support to a customer', async () => {
    await signIn()
    await open('/servers/list')
    const items = () =>
      [...document.querySelectorAll('nav[aria-label="Main navigation"] :is(h2, a)')].filter(visible)
    await expect
      .poll(() => items().map((item) => item.textContent))
      .toEqual(['Servers', 'Support', 'Finances'])
    expect(items()[0]?.getAttribute('aria-current')).toBe('page')
  })

  it('R-12 shows Tickets under Admin, and the rest under User, to staff', async () => {
    await signIn({ is_staff: true })
    await open('/staff-tickets')
    const items = () =>
      [...document.querySelectorAll('nav[aria-label="Main navigation"] :is(h2, a)')].filter(visible)
    await expect
      .poll(() => items().map((item) => item.textContent))
      .toEqual(['Admin', 'Tickets', 'Customers', 'All servers', 'User', 'Servers', 'Support', 'Finances'])
  })

  it('R-13 names the person in the drawer, with e-mail and Logout', async () => {
    await signIn()
    await page.viewport(360, 740)
    await open('/servers/list')
    await press(page.getByRole('button', { name: 'Menu' }))
    const drawer = () => document.querySelector('dialog[open]')
    await expect.poll(() => drawer()?.textContent).toContain('Ann Maria Lind')
    expect(drawer()?.textContent).toContain('ann@example.org')
    expect(drawer()?.querySelector('a[href="/account/logout"]')?.textContent).toBe('Logout')
  })

  it('R-13 falls back to the display value where there is no name', async () => {
    await signIn({ name: '', middle_name: '', surname: '', display: 'shown@example.org' })
    await page.viewport(360, 740)
    await open('/servers/list')
    await press(page.getByRole('button', { name: 'Menu' }))
    await expect.poll(() => document.querySelector('dialog[open] p')?.textContent).toBe('shown@example.org')
  })

  it('R-14 R-16 has a user menu with Account, Security, Logout and the theme', async () => {
    setTheme('light')
    await signIn()
    await open('/servers/list')
    await press(page.getByRole('button', { name: /User menu/u }))
    const items = [...document.querySelectorAll(':popover-open [role^=menuitem]')]
    expect(items.map((item) => item.querySelector('span')?.textContent ?? item.textContent)).toEqual([
      'Account',
      'Security',
      'Light',
      'Dark',
      'Device',
      'Logout',
    ])
    await type('ArrowDown', 'ArrowDown', 'ArrowDown')
    expect(document.activeElement?.textContent).toContain('Dark')
    await inAct(() => (document.activeElement as HTMLElement).click())
    expect(localStorage.getItem('theme')).toBe('dark')
    expect(document.documentElement.dataset['theme']).toBe('dark')
    setTheme('light')
  })

  it('R-14 has a Profile link in the mobile footer', async () => {
    await signIn()
    await page.viewport(360, 740)
    const { path } = await open('/servers/list')
    await press(page.getByRole('link', { name: 'Profile' }).last())
    await expect.poll(path).toBe('/settings/account')
  })

  it('R-15 draws initials, or an icon, and a badge for staff', async () => {
    await signIn({ is_staff: true })
    const first = await open('/servers/list')
    await expect.poll(() => document.querySelector('footer > button')?.textContent).toContain('AL')
    expect(document.querySelector('footer [role=img]')?.getAttribute('aria-label')).toBe('Staff')
    queryClient.setQueryData(['/api/users/detail/'], { ...person, name: '', surname: '' })
    await expect.poll(() => document.querySelector('footer > button .lucide-user')).not.toBeNull()
    expect(document.querySelector('footer [role=img]')).toBeNull()
    expect(first.path()).toBe('/servers/list')
  })

  it('R-16 switches between English, Deutsch and Русский in place', async () => {
    await signIn()
    await reply('PATCH /api/users/update/', { status: 200, body: person })
    await open('/servers/list')
    await press(page.getByRole('button', { name: /^Language/u }))
    const items = [...document.querySelectorAll(':popover-open [role=menuitemradio] [lang]')]
    expect(items.map((item) => item.textContent)).toEqual(['English', 'Deutsch', 'Русский'])
    await press(page.getByRole('menuitemradio', { name: 'Русский' }))
    await expect.poll(heading).toBe('Серверы')
    expect(localStorage.getItem('locale')).toBe('ru')
    expect(document.title).toBe('Серверы · Hostdesk')
  })

  it('moves the focus to the h1 and announces the page after a change', async () => {
    await signIn()
    await open('/servers/list')
    await press(page.getByRole('link', { name: 'Support' }).first())
    await expect.poll(heading).toBe('Support')
    await expect.poll(() => document.activeElement?.textContent).toBe('Support')
    const announced = [...document.querySelectorAll('[role=status]')].map((element) => element.textContent)
    expect(announced).toContain('Support')
  })

  it('goes by keys and lists them', async () => {
    await signIn()
    const { path } = await open('/servers/list')
    await expect.poll(() => visible(rail())).toBe(true)
    await type('g', 't')
    await expect.poll(path).toBe('/tickets')
    await type('g', 's')
    await expect.poll(path).toBe('/servers/list')
    await type('?')
    await expect.poll(() => document.querySelector('dialog[open] h2')?.textContent).toBe('Keyboard shortcuts')
  })
})
