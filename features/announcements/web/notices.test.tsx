import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import '#app/web/styles.css'
import type { Notice } from '#features/announcements/contract.ts'
import { Page } from '#foundation/web/ui/page.tsx'
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

/** Opens a page with its heading above the notices and its content below them. Returns a function that goes on to another page. */
async function openPage() {
  const root = createRootRoute({
    component: () => (
      <main id="content">
        <Page title="Servers">
          <p>All of them</p>
        </Page>
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
const contentTop = () => topOf(page.getByText('All of them'))

// Seen red while the announcement took its place on top at once: the page jumped by its height, under the finger of a reader who just
// tapped (CLS 0.14).
it('an announcement that comes while a page is read moves nothing, and stands below the heading of the next page', async () => {
  keepNotices([known])
  await reply('GET /api/announcements/', { status: 200, body: { items: [known, late] } })
  const goOn = await openPage()
  await expect.element(titleOf(known)).toBeVisible()
  // A notice is one line, with its text behind 'More'.
  await expect.element(page.getByText(known.text.en, { exact: true }).first()).not.toBeVisible()
  await userEvent.click(page.getByText('More', { exact: true }).first())
  await expect.element(page.getByText(known.text.en, { exact: true }).first()).toBeVisible()
  const before = contentTop()
  expect(topOf(titleOf(known))).toBeLessThan(before)
  expect(topOf(titleOf(known))).toBeGreaterThan(headingTop())
  await expect.element(titleOf(late)).toBeVisible()
  expect(contentTop()).toBe(before)
  expect(topOf(titleOf(late))).toBeGreaterThan(before)
  await expect.element(page.getByRole('status').getByText(`News: ${late.title.en}`)).toBeVisible()
  goOn()
  await expect.poll(() => topOf(titleOf(late)) < contentTop()).toBe(true)
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
