import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { beforeEach, expect, it } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import '#app/web/styles.css'
import type { Notice } from '#features/announcements/contract.ts'
import { render } from '#tests/web/render.tsx'
import { startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { keepNotices } from './kept-notices.ts'
import { Announcements } from './notices.tsx'

const notice = (place: number, title: string): Notice => ({
  id: `a1b2c3d4-0000-4000-8000-00000000000${place}`,
  revision: 1,
  kind: 'news',
  title: { en: title, de: title, ru: title },
  text: { en: 'Short breaks.', de: 'Kurze Ausfälle.', ru: 'Короткие перерывы.' },
  starts_at: '2026-01-02T03:04:05.000Z',
  ends_at: null,
  published_at: '2026-01-02T03:04:05.000Z',
  resolved_at: null,
  resolution: null,
})
const known = notice(1, 'New switches')
const late = notice(2, 'New prices')

beforeEach(async () => {
  localStorage.clear()
  await startAnew()
})

/** Opens a page with a heading below the notices. Returns a function that goes on to another page. */
async function openPage() {
  const root = createRootRoute({
    component: () => (
      <main id="content">
        <h1>Servers</h1>
        <Announcements />
      </main>
    ),
  })
  const other = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([other]),
    history: createMemoryHistory({ initialEntries: ['/one'] }),
  })
  await render(<RouterProvider router={router} />)
  await expect.element(page.getByRole('heading')).toBeVisible()
  return () => router.history.push('/two')
}

const titleOf = ({ title }: Notice) => page.getByText(`News: ${title.en}`)
const topOf = (locator: Locator) => locator.element().getBoundingClientRect().top
const headingTop = () => topOf(page.getByRole('heading'))

// Seen red while the announcement took its place on top at once: the page jumped by its height, under the finger of a reader who just
// tapped (CLS 0.14).
it('an announcement that comes while a page is read moves nothing, and stands on top of the next page', async () => {
  keepNotices([known])
  await reply('GET /api/announcements/', { status: 200, body: { items: [known, late] } })
  const goOn = await openPage()
  await expect.element(titleOf(known)).toBeVisible()
  const before = headingTop()
  expect(topOf(titleOf(known))).toBeLessThan(before)
  await expect.element(titleOf(late)).toBeVisible()
  expect(headingTop()).toBe(before)
  expect(topOf(titleOf(late))).toBeGreaterThan(before)
  await expect.element(page.getByRole('status').getByText(`News: ${late.title.en}`)).toBeVisible()
  goOn()
  await expect.poll(() => topOf(titleOf(late)) < headingTop()).toBe(true)
})

it('an announcement at the foot of the window is put away there, and does not come back on top', async () => {
  await reply('GET /api/announcements/', { status: 200, body: { items: [late] } })
  const goOn = await openPage()
  await page.getByRole('button', { name: /New prices/ }).click()
  await expect.element(titleOf(late)).not.toBeInTheDocument()
  expect(document.documentElement.dataset['spaceAtEnd']).toBe(undefined)
  goOn()
  await expect.element(titleOf(late)).not.toBeInTheDocument()
})
