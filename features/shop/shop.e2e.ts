import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, newAddress, test } from '#tests/harness/story.ts'
import { anyAddress } from '#tests/stories/server-calls.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

/** Returns the newest link that opens an account, from the mails that the installation keeps; other mails of a purchase come after it. */
async function newestLink({ request }: Page): Promise<string> {
  const read = async (path: string) => (await request.get(path)).text()
  const ids = [...(await read('/dev/mail/')).matchAll(/\/dev\/mail\/([\w-]+)"/g)].map(([, id = '']) => id)
  for (const id of new Set(ids.slice(0, 20))) {
    const [link] = /\/buy\/open\/\?key=[\w-]+/.exec(await read(`/dev/mail/${id}`)) ?? []
    if (link !== undefined) return link
  }
  return ''
}

const PASSWORD = 'a long and good one 77'

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  // A stranger has a licence after five presses, and never sees the account area.
  test('H-03 a stranger buys in the shop, without an account', async ({ page }) => {
    const email = newAddress('stranger')
    let presses = 0
    const press = async (role: 'button' | 'link', name: string | RegExp) => {
      presses += 1
      await page.getByRole(role, { name }).first().click()
    }
    await page.goto('/shop/server/')
    await press('link', 'Buy Starter, 1 month')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('IPv4 address of your server').fill(anyAddress())
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await press('button', /^Pay .* and order$/)
    await press('button', /^Pay/)
    await expect(page.getByRole('heading', { name: 'Thank you, your payment has arrived' })).toBeVisible()
    presses += 1
    await page.goto(await newestLink(page))
    await page.getByLabel('Password').fill(PASSWORD)
    await press('button', 'Set password and show licence')
    await expect(page.getByRole('heading', { level: 1, name: 'Your licence' })).toBeVisible()
    await expect(page.locator('code').first()).toHaveText(/^[A-Z\d]{5}(?:-[A-Z\d]{5}){4}$/)
    expect(presses).toBe(5)
  })

  test('a change of the language keeps what was typed, and the Enter key keeps the language', async ({
    page,
  }) => {
    const email = newAddress('typed')
    await page.goto('/buy/standard-month?lang=de&country=FR')
    await page.locator('#email').fill(email)
    for (const lang of ['de', 'ru']) {
      if (lang === 'de') await page.locator('#email').press('Enter')
      else await page.getByRole('button', { name: 'RU', exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`lang=${lang}`))
      await expect(page.locator('html')).toHaveAttribute('lang', lang)
      await expect(page.locator('#email')).toHaveValue(email)
      await expect(page.locator('#country')).toHaveValue('FR')
    }
  })
})

test('the pages of the shop have no fault that axe knows, in both themes and on a phone', async ({
  page,
}) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [360, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      for (const path of [
        '/shop/',
        '/shop/ferry/',
        '/buy/standard-month',
        '/buy/ferry-team-month',
        '/buy/open/?key=none',
      ]) {
        await page.goto(path)
        await expectAccessible(page, `${path}, ${colorScheme}, ${width}`)
        const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        expect(scrolls, `${path} scrolls sideways at ${width}`).toBe(false)
      }
    }
})
