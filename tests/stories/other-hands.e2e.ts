import type { Locator, Page, Route } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { newAccount } from './new-customer.ts'

// Rule 56: what the settings of a browser, and its extensions, do to the page. Its translators: dialogs.e2e.ts and languages.e2e.ts.

for (const how of ['throws', 'is missing', 'is full'])
  test(`rule 56: a customer signs in where storage ${how}, and reads what that costs`, async ({
    page,
    context,
  }) => {
    const { email, password } = await newAccount(page, 'en', 'no-storage')
    const tab = await context.newPage()
    await tab.addInitScript(breakStorage, how)
    await tab.goto('/account/')
    if (how !== 'is full') await expect(words(tab)).toBeVisible()
    const streams = tab.waitForRequest(/\/api\/events/)
    await signInAs(tab, email, 'not the password')
    await expect(tab.getByText(m.error_email_password_mismatch({}, { locale: 'en' }))).toBeVisible()
    await signInAs(tab, email, password)
    await expect(tab.getByRole('button', { name: 'New server' }).first()).toBeVisible()
    await expect(words(tab)).toBeVisible()
    await streams
  })

async function signInAs(tab: Page, email: string, password: string): Promise<void> {
  await fillSilently(tab.getByLabel('Email', { exact: true }), email)
  await fillSilently(tab.getByLabel('Password', { exact: true }), password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Fills a field as some fillers of passwords do: without an event, and with elements of their own beside it, around it and in the page. */
const fillSilently = (field: Locator, text: string): Promise<void> =>
  field.evaluate((input, typed) => {
    if (!(input instanceof HTMLInputElement)) throw new TypeError('not a field')
    const own = () => document.createElement('x-filler')
    const around = own()
    input.replaceWith(around)
    around.append(own(), input, own())
    input.form?.prepend(own())
    document.body.prepend(own())
    document.querySelector('#root')?.prepend(own())
    input.value = typed
  }, text)

const words = (page: Page) => page.getByText('This browser stores nothing for this page')

/** Refuses all that browsers refuse together: with cookies, no kind of storage is left, nor what connects the tabs of a site. */
function breakStorage(how: string): void {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const replace = (name: string, get: () => unknown) =>
    Object.defineProperty(window, name, { configurable: true, get })
  if (how === 'is full') {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    return
  }
  const kept = how === 'throws' ? refuse : () => null
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) replace(name, kept)
  for (const name of ['BroadcastChannel', 'Worker'])
    replace(name, how === 'throws' ? () => refuse : () => undefined)
  Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })
  if (how === 'throws') LockManager.prototype.request = async () => refuse()
  else for (const name of ['locks', 'serviceWorker']) Reflect.deleteProperty(Navigator.prototype, name)
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('rule 56: the document says in three languages that it needs them', async ({ page }) => {
    await page.goto('/account/')
    for (const [language, said] of [
      ['en', 'This page needs JavaScript'],
      ['de', 'Diese Seite braucht JavaScript'],
      ['ru', 'Для этой страницы нужен JavaScript'],
    ] as const)
      await expect(page.locator(`[lang=${language}]`).getByText(said)).toBeVisible()
    await expect(noStart(page).first()).toBeHidden()
  })
})

// The mark stood there for ever.
test.describe('where the code of the product', () => {
  test.use({ expectedComplaint: /too old|broken by hand/ })
  const code = /\/assets\/[^/]+\.js$/
  const ways: Record<string, (route: Route) => Promise<void>> = {
    'does not come': (route) => route.abort(),
    'is nothing for the browser': (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("too old")' }),
  }
  for (const [how, fail] of Object.entries(ways))
    test(`rule 56: … ${how}, words say so in three languages, with a way on`, async ({ page }) => {
      await page.route(code, fail)
      await page.goto('/account/')
      await expect(noStart(page)).toHaveCount(3)
      for (const said of await noStart(page).all()) await expect(said).toBeVisible()
      await page.unroute(code)
      await page.getByRole('link', { name: 'Reload it.' }).click()
      await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
      await expect(noStart(page)).toHaveCount(0)
    })

  test('rule 56: … is blocked with every script of ours, the words come by themselves after a while', async ({
    page,
  }) => {
    await page.route(/\.js$/, (route) => route.abort())
    await page.goto('/account/')
    await expect(noStart(page).first()).toBeHidden()
    await page.evaluate(() => document.getAnimations().forEach((waiting) => waiting.finish()))
    await expect(noStart(page).first()).toBeVisible()
  })

  test('rule 56: … cannot even draw its error page, words take the place of a white page', async ({
    page,
  }) => {
    await page.goto('/account/')
    const link = page.getByRole('link', { name: 'Create account' })
    await link.waitFor()
    // The page is broken once all of it is there.
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => {
      Node.prototype.appendChild = () => {
        throw new Error('broken by hand')
      }
    })
    await link.click()
    await expect(noStart(page).first()).toBeVisible()
  })
})

const noStart = (page: Page) => page.locator('#no-start p')
