import { readFileSync } from 'node:fs'
import { anna, olivia } from '#app/seed/people.ts'
import type { Locator } from '@playwright/test'
import { must } from '#foundation/must.ts'
import { expect, test } from '#tests/harness/story.ts'
import { signIn } from './sign-in.ts'

const heading = (name: string | RegExp) => ({ name, level: 1 }) as const

test.describe('routes', () => {
  test('R-07 without a token every page is replaced by the auth page, and with one the other way round', async ({
    page,
  }) => {
    await page.goto('/account/settings/security')
    await expect(page).toHaveURL(/\/account\/auth\/?$/)
    await expect(page.getByRole('heading', heading(/sign in/i))).toBeVisible()
    await signIn(page, anna)
    await page.goto('/account/tickets/')
    // The page that was wanted before is forgotten once this one is shown.
    await expect(page.getByRole('heading', heading('Support'))).toBeVisible()
    await page.goto('/account/auth')
    await expect(page).toHaveURL('/account/servers/list')
    await page.goBack()
    await expect(page, 'the guard left no entry in the history').toHaveURL('/account/tickets/')
  })

  test.describe('when a file is missing', () => {
    test.use({ expectedComplaint: /page code/ })
    test('R-17 a page that cannot be loaded shows so and can be tried again', async ({ page }) => {
      await signIn(page, anna)
      const file = fileOf('profile-security-page.tsx')
      await page.route(`**/${file}`, (route) => route.abort())
      await page.goto('/account/settings/security')
      await expect(page.getByText('didn’t load')).toBeVisible()
      await expect(page.getByRole('heading', heading('Security'))).toHaveCount(0)
      const again = page.getByRole('button', { name: 'Try again' })
      // A new document would be the browser's own error page while the network is away.
      await page.context().setOffline(true)
      await again.click()
      await expect(page.getByRole('heading', { level: 1, name: 'You’re offline.' })).toBeVisible()
      await page.unroute(`**/${file}`)
      await page.context().setOffline(false)
      await expect(page.getByRole('heading', heading('Security')), 'by itself').toBeVisible()
    })
  })

  // A part that could not be loaded once replaced the whole page, and the text that was typed on it was lost.
  test('R-17 a part of a page that cannot be loaded shows so in its place and can be tried again', async ({
    page,
  }) => {
    await signIn(page, anna)
    const file = fileOf('account-settings.tsx')
    await page.route(`**/${file}`, (route) => route.abort())
    await page.goto('/account/settings/account')
    const city = page.getByRole('textbox', { name: 'City' })
    await city.fill('Hamburg')
    await expect(page.getByText('didn’t load')).toBeVisible()
    await page.unroute(`**/${file}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('didn’t load')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Delete account' })).toBeVisible()
    await expect(city).toHaveValue('Hamburg')
  })
})

// The document was once empty until the code had run: 1.9 s on a slow phone, on which the mark (the logo) is now there after 0.8 s.
test('R-10 the mark stands where the page will have it before the code has come', async ({ page }) => {
  await signIn(page, anna)
  const first = page.locator('#first-frame svg')
  let code = Promise.withResolvers<void>()
  // The first script belongs to the document, which does not draw before it.
  await page.route(/\/assets\/(?!theme-)[^/]+\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    code = Promise.withResolvers()
    await page.goto('/account/servers/list', { waitUntil: 'commit' })
    await expect(first).toBeVisible()
    // Before its style sheet has come the document has the margin of the browser, and draws nothing.
    await expect(page.locator('body')).toHaveCSS('margin-left', '0px')
    const place = await first.boundingBox()
    code.resolve()
    await expect(page.getByRole('heading', heading('Servers'))).toBeVisible()
    await expect(first).toHaveCount(0)
    const drawn = page.getByRole('link', { name: 'Hostdesk' }).locator('svg')
    expect(place, `at ${width} px`).toEqual(await drawn.boundingBox())
  }
})

test.describe('shell', () => {
  test('R-12 R-15 staff see Admin with Tickets above the user items, and a badge', async ({ page }) => {
    await signIn(page, olivia)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/account/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link')).toHaveText([
      /^Tickets/,
      'Today',
      'Customers',
      'All servers',
      'Announcements',
      /^Bank transfers/,
      'Payouts',
      'Invoices',
      'Transactions',
      'Reports',
      /^Approvals/,
      'Plans and vouchers',
      'Team',
      'Webhooks',
      'Company',
      'Audit log',
      'System',
      'Servers',
      /^Support/,
      'Finances',
    ])
    await expect(navigation.getByText('Admin')).toBeVisible()
    await expect(navigation.getByText('User', { exact: true })).toBeVisible()
    await expect(
      page.getByRole('button', { name: /^User menu/ }).getByText('OG', { exact: true }),
    ).toBeVisible()
    await expect(page.getByTitle('Staff').first()).toBeVisible()

    // All of it is in sight, and the next page begins with it, as folded as it was left: nothing moves.
    const last = navigation.getByRole('link', { name: 'Finances' })
    const foot = page.locator('.rail footer')
    expect(await bottomOf(last)).toBeLessThanOrEqual((await foot.boundingBox())?.y ?? 0)
    const money = navigation.getByRole('button', { name: /^Money/ })
    await money.click()
    await expect(navigation.getByRole('link', { name: 'Reports' })).toBeHidden()
    await page.addInitScript(watchShifts)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/account/staff-reports')
      await expect(page.getByRole('heading', heading('Reports'))).toBeVisible()
      await expect(
        page
          .getByRole('navigation')
          .getByRole('link', { name: /^Tickets/ })
          .last(),
      ).toBeVisible()
      expect(await page.evaluate(() => Reflect.get(window, 'shifted')), `at ${width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(money).toHaveAttribute('aria-expanded', 'false')
    await expect(navigation.getByRole('link', { name: 'Reports' }), 'the present page').toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Invoices' })).toBeHidden()
  })

  test('R-10 R-13 R-14 R-16 small screens have a header, a drawer and a footer', async ({ page }) => {
    await signIn(page, anna)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/account/')
    await page.getByRole('button', { name: 'Menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByText('Anna Berger')).toBeVisible()
    await expect(drawer.getByText('anna@example.com')).toBeVisible()
    await expect(drawer.getByRole('link', { name: 'Logout' })).toBeVisible()
    await drawer.getByRole('link', { name: 'Support' }).click()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL('/account/tickets')
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Profile' }).click()
    await expect(page).toHaveURL('/account/settings/account')
  })

  test('R-16 G-02 the theme is chosen, applied, kept, and set in the browser', async ({ page }) => {
    await signIn(page, anna)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/account/')
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^User menu/ }).click()
      await page.getByRole('menuitemradio', { name }).click()
      await page.keyboard.press('Escape')
    }
    const themeColor = page.locator('meta[name="theme-color"]')
    await choose('Dark')
    await expect(themeColor).toHaveAttribute('content', '#000')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(themeColor).toHaveAttribute('content', '#000')
    await choose('Light')
    await expect(themeColor).toHaveAttribute('content', '#fff')
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose('Device')
    await expect(themeColor).toHaveAttribute('content', '#000')
  })
})

/** Returns the file of a page's code in the build, whose name is only a hash. */
function fileOf(page: string): string {
  const manifest = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')) as Record<
    string,
    { file: string }
  >
  const found = Object.entries(manifest).find(([source]) => source.endsWith(`/${page}`))
  if (!found) throw new Error(`the build has no ${page}`)
  return found[1].file
}

async function bottomOf(element: Locator): Promise<number> {
  const { y, height } = must(await element.boundingBox())
  return y + height
}

/** Keeps in `shifted` the texts of the parts of a navigation that move. Runs in the page. */
function watchShifts(): void {
  const shifted: unknown[] = []
  Object.assign(window, { shifted })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      for (const { node } of (entry as unknown as { sources: { node?: Node }[] }).sources) {
        const element = node instanceof Element ? node : node?.parentElement
        if (element?.closest('nav[aria-label], .rail')) shifted.push(element.textContent)
      }
  }).observe({ type: 'layout-shift', buffered: true })
}
