import type { Page } from '@playwright/test'
import { anna, olivia } from '#app/seed/people.ts'
import { locales } from '#foundation/locale.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { goWithin, headingOf } from './go-within.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'
import { m } from '#texts/messages.js'

// Stories run in one language each. In another language, a text may be missing, or longer than its place: so this file opens every page
// in each language on the narrowest screen, and in one language under a translator, which no page may mind (rule 56).
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
const ofStaff = [
  'tickets',
  'customers',
  'transactions',
  'invoices',
  'transfers',
  'reports',
  'catalogue',
  'announcements',
  'approvals',
  'team',
  'audit',
  'system',
].map((name) => `/account/staff-${name}`)
const tabsOfCustomer = ['overview', 'hosts', 'money', 'invoices', 'tickets', 'security', 'activity', 'notes']

for (const locale of locales) {
  const translated = locale === 'de'
  test.describe(`in ${locale}${translated ? ', under 08-translator' : ''}`, () => {
    test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 780 }, translated })

    test('V-07 every page has its texts, and they fit', async ({ page }) => {
      test.setTimeout(240_000)
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

    test('V-07 every page of the staff has its texts, and they fit, as the dialogs about money do', async ({
      page,
    }) => {
      test.setTimeout(240_000)
      await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
      const token = await signIn(page, olivia)
      const found = `/api/staff/customers/?q=${encodeURIComponent(anna.email)}`
      const { items } = await callApi<{ items: { id: string }[] }>(page, 'GET', found, { token })
      const customer = `/account/staff-customers/${items[0]?.id}`
      // No two pages of one area follow each other, so that the app starts once.
      for (const [place, name] of ofStaff.entries()) {
        await fits(page, name, locale)
        const tab = tabsOfCustomer[place]
        if (tab) await fits(page, `${customer}?tab=${tab}`, locale)
      }
      for (const [path, opener] of [
        [`${customer}?tab=money`, m.customers_refund],
        [`${customer}?tab=money`, m.customers_give_credit],
        ['/account/staff-catalogue', m.catalogue_make],
      ] as const) {
        await goWithin(page, path)
        await page
          .getByRole('button', { name: opener({}, { locale }) })
          .first()
          .click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectFits(page, `${path} with a dialog`)
      }
    })
  })
}

async function fits(page: Page, path: string, locale: string): Promise<void> {
  await goWithin(page, path)
  await expect(headingOf(page)).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  await expectFits(page, path)
}

async function expectFits(page: Page, where: string): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    `${where} does not scroll sideways`,
  ).toBe(true)
  const words = (await page.locator('body').innerText()).match(/\b[a-z]+(?:_[a-z\d]+)+\b/g) ?? []
  expect(
    words.filter((word) => word in m),
    `names of texts that ${where} shows`,
  ).toEqual([])
}
