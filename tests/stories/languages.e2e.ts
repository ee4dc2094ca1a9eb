import type { Page } from '@playwright/test'
import { anna } from '#app/seed/people.ts'
import { locales } from '#foundation/locale.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'

// Stories run in one language each. In another language, a text may be missing, or longer than its place: so this file opens every page
// in each language on the narrowest screen.
const outside = [
  '/account/auth',
  '/account/auth?view=signup',
  '/account/auth?view=forgotten',
  '/account/auth?reset=none',
  '/account/auth?verify=none',
]
const inside = [
  '/account/servers/list',
  '/account/finances',
  '/account/finances?view=invoices',
  '/account/tickets',
  '/account/tickets?tab=closed',
  '/account/settings/account',
  '/account/settings/security',
  '/account/nowhere',
]

for (const locale of locales) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 780 } })

    test('V-07 every page has its texts, and they fit', async ({ page }) => {
      test.setTimeout(120_000)
      // All stories share the example people: another story may just have chosen another language for them.
      await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
      for (const path of outside) await fits(page, path, locale)
      const token = await signIn(page, anna)
      const first = async (path: string) => {
        const { items } = await callApi<{ items: { id: string }[] }>(page, 'GET', path, { token })
        return items[0]?.id
      }
      const [host, invoice, ticket] = await Promise.all(
        ['/api/hosts/', '/api/invoices/', '/api/tickets/'].map(first),
      )
      const lived = [
        `/account/servers/host/${host}`,
        `/account/invoices/${invoice}`,
        `/account/tickets/${ticket}`,
      ]
      for (const path of [...inside, ...lived]) await fits(page, path, locale)
    })
  })
}

async function fits(page: Page, path: string, locale: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    `${path} does not scroll sideways`,
  ).toBe(true)
  expect(await page.locator('body').innerText(), `${path} shows no name of a text`).not.toMatch(
    /\b(?:ui|auth|shell|error|hosts|finance|tickets|licences|chat|staff|invoices|profile|security)_[a-z_]+\b/,
  )
}
