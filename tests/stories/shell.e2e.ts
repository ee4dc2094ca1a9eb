import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { anna, olivia } from '#app/seed/people.ts'
import { locales } from '#foundation/locale.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { signIn } from './sign-in.ts'

const heading = (name: string | RegExp) => ({ name, level: 1 }) as const

test.describe('routes', () => {
  test('R-01 R-02 R-05 the starting points lead on to their pages', async ({ page }) => {
    await signIn(page, anna)
    for (const [from, to] of [
      ['/account/', '/account/servers/list'],
      ['/account/servers/', '/account/servers/list'],
      ['/account/settings/', '/account/settings/account'],
    ] as const) {
      await page.goto(from)
      await expect(page, from).toHaveURL(to)
    }
  })

  test('R-02 R-03 R-04 R-05 R-06 every route has its page', async ({ page }) => {
    await signIn(page, olivia)
    for (const [path, title] of [
      ['/account/servers/list', 'Servers'],
      ['/account/servers/host/x1', 'Server'],
      ['/account/tickets/', 'Support'],
      ['/account/tickets/x1', 'Ticket'],
      ['/account/support/', 'Support'],
      ['/account/support/x1', 'Ticket'],
      ['/account/staff-tickets/', 'Tickets'],
      ['/account/staff-tickets/x1', 'Ticket'],
      ['/account/settings/account', 'Account'],
      ['/account/settings/security', 'Security'],
      ['/account/finances/', 'Finances'],
      ['/account/invoices/x1', 'Invoice'],
      ['/account/no/such/page', 'Page not found'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', heading(title)), path).toBeVisible()
      await expect(page, path).toHaveTitle(new RegExp(title))
    }
  })

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
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    code = Promise.withResolvers()
    await page.goto('/account/servers/list', { waitUntil: 'commit' })
    await expect(first).toBeVisible()
    const place = await first.boundingBox()
    code.resolve()
    await expect(page.getByRole('heading', heading('Servers'))).toBeVisible()
    await expect(first).toHaveCount(0)
    const drawn = page.getByRole('link', { name: 'Hostdesk' }).locator('svg')
    expect(place, `at ${width} px`).toEqual(await drawn.boundingBox())
  }
})

test.describe('shell', () => {
  test('R-09 the auth page has no shell', async ({ page }) => {
    await page.goto('/account/auth')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
  })

  for (const locale of locales) {
    test.describe(`in ${locale}`, () => {
      test.use({
        locale: browserLocales[locale],
        viewport: { width: 1280, height: 800 },
      })
      const t = (text: typeof m.shell_user) => text({}, { locale })
      const starting = (text: typeof m.shell_user) => new RegExp(`^${t(text)}`)

      test('R-12 a customer sees their own places, staff the tickets above them', async ({
        page,
        browser,
      }) => {
        const navigation = (of: Page) => of.getByRole('navigation', { name: t(m.shell_navigation) })
        const own = [t(m.shell_servers), starting(m.shell_support), t(m.shell_finances)]
        await signIn(page, anna)
        await page.goto('/account/')
        await expect(navigation(page).getByRole('link')).toHaveText(own)
        await expect(navigation(page).getByText(t(m.shell_admin), { exact: true })).toHaveCount(0)
        const staff = await (await browser.newContext({ locale })).newPage()
        await signIn(staff, olivia)
        await staff.goto('/account/')
        await expect(navigation(staff).getByRole('link')).toHaveText([
          starting(m.shell_tickets),
          ...[
            m.shell_customers,
            m.customers_transfers,
            m.catalogue_title,
            m.books_invoices,
            m.books_transactions,
            m.books_title,
          ].map(t),
          starting(m.approvals_title),
          ...[m.announcements_title, m.team_title, m.operations_audit, m.operations_system].map(t),
          ...own,
        ])
        for (const text of [m.shell_admin, m.shell_user])
          await expect(navigation(staff).getByText(t(text), { exact: true })).toBeVisible()
        await staff.context().close()
      })
    })
  }

  test('R-10 R-12 R-14 wide screens have a rail with navigation and the user menu', async ({ page }) => {
    await signIn(page, anna)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/account/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link')).toHaveText(['Servers', /^Support/, 'Finances'])
    await expect(navigation.getByText('Admin')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeHidden()
    await page.getByRole('button', { name: /^User menu: Anna Berger/ }).click()
    const items = ['Account', 'Security', 'Logout', 'Imprint', 'Privacy']
    await expect(page.getByRole('menuitem')).toHaveText(items)
    for (const choice of ['Light', 'Dark', 'Device'])
      await expect(page.getByRole('menuitemradio', { name: choice })).toBeVisible()
    await page.getByRole('menuitem', { name: 'Security' }).click()
    await expect(page).toHaveURL('/account/settings/security')
  })

  test('R-12 R-15 staff see Admin with Tickets above the user items, and a badge', async ({ page }) => {
    await signIn(page, olivia)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/account/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link')).toHaveText([
      /^Tickets/,
      'Customers',
      'Bank transfers',
      'Plans and vouchers',
      'Invoices',
      'Transactions',
      'Reports',
      /^Approvals/,
      'Announcements',
      'Team',
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

  test('R-11 chat pages and the host page have a spacer instead of the menu button', async ({ page }) => {
    await signIn(page, olivia)
    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['/account/tickets/x1', '/account/staff-tickets/x1', '/account/servers/host/x1']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(page.getByRole('button', { name: 'Menu' }), path).toHaveCount(0)
    }
    await page.goto('/account/tickets/')
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
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

  test('G-04 a customer sees that the section of the staff is not theirs', async ({ page }) => {
    await signIn(page, anna)
    await page.goto('/account/staff-tickets/')
    await expect(page.getByRole('heading', heading('No access'))).toBeVisible()
    await expect(page.getByText('You are not allowed to access this section').first()).toBeVisible()
  })

  test('keys lead to pages and list themselves', async ({ page }) => {
    await signIn(page, anna)
    await page.goto('/account/settings/account')
    await expect(page.getByRole('heading', heading('Account'))).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await expect(page.getByRole('heading', heading('Servers'))).toBeFocused()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })
})

test('R-07 a reset link opened by somebody who is signed in shows what to do, and stays good', async ({
  page,
}) => {
  await signIn(page, anna)
  await page.goto('/account/auth?reset=some-key')
  await expect(page).toHaveURL('/account/servers/list')
  await expect(page.getByText('sign out first, then open the link again')).toBeVisible()
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
