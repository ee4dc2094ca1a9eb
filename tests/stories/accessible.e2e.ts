import { anna, olivia } from '#app/seed/people.ts'
import { expect, expectAccessible, test, themes, widths } from '#tests/harness/story.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'

const outside = [
  '/account/auth',
  '/account/auth?view=signup',
  '/account/auth?view=forgotten',
  '/account/auth?view=check-mail',
  '/account/auth?view=code',
  '/account/auth?reset=none',
  '/account/auth?verify=none',
]
const inside = [
  '/account/servers/list',
  '/account/servers/host/x1',
  '/account/tickets/',
  '/account/tickets/x1',
  '/account/staff-tickets/',
  '/account/staff-tickets/x1',
  '/account/settings/account',
  '/account/settings/security',
  '/account/finances/',
  '/account/finances?view=invoices',
  '/account/finances?type=spend&from=2026-01-01&to=2026-01-31',
  '/account/invoices/x1',
  '/account/nowhere',
]

for (const theme of themes) {
  for (const width of widths) {
    test.describe(`axe finds nothing, ${theme} at ${width}`, () => {
      test.use({ colorScheme: theme, viewport: { width, height: 900 }, reducedMotion: 'reduce' })

      test('before signing in', async ({ page }) => {
        for (const path of outside) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expectAccessible(page, path)
        }
      })

      test('on every page', async ({ page }) => {
        test.setTimeout(120_000)
        await signIn(page, olivia)
        for (const path of inside) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
          await expectAccessible(page, path)
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${path} does not scroll sideways`,
          ).toBe(true)
        }
      })

      test('on the pages of somebody with a year behind them', async ({ page }) => {
        test.setTimeout(240_000)
        // The example people are everybody's: another story may just have chosen another language for them.
        await page.addInitScript(() => localStorage.setItem('locale', 'en'))
        const token = await signIn(page, anna)
        const headers = { authorization: `Bearer ${token}` }
        const read = async (path: string) =>
          ((await (await page.request.get(path, { headers })).json()) as { items: { id: string }[] }).items
        const [invoice] = await read('/api/invoices/')
        const hosts = await read('/api/hosts/')
        const tickets = await read('/api/tickets/')
        const lived = [
          '/account/finances',
          '/account/finances?view=invoices',
          '/account/finances?type=charge_back',
          `/account/invoices/${invoice?.id}`,
          '/account/servers/list',
          ...hosts.map(({ id }) => `/account/servers/host/${id}`),
          '/account/tickets',
          '/account/tickets?tab=closed',
          ...tickets.map(({ id }) => `/account/tickets/${id}`),
        ]
        for (const path of lived) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
          await expectAccessible(page, path)
          const scrolls = () => document.documentElement.scrollWidth > innerWidth
          expect(await page.evaluate(scrolls), `${path} scrolls sideways`).toBe(false)
        }
        await page.goto('/account/finances?type=charge_back')
        await page.getByRole('list', { name: 'Transactions' }).getByRole('button').click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectAccessible(page, 'a transaction')
      })

      test('at the desk of the staff, in a conversation and with the palette open', async ({ page }) => {
        test.setTimeout(240_000)
        await signIn(page, olivia)
        await page.addInitScript(() => localStorage.setItem('locale', 'en'))
        const fits = async (what: string) => {
          await expectAccessible(page, what)
          const scrolls = () => document.documentElement.scrollWidth > innerWidth
          expect(await page.evaluate(scrolls), `${what} scrolls sideways`).toBe(false)
        }
        for (const query of [
          'tab=incoming',
          'tab=waiting',
          'tab=closed',
          'tab=all&q=server',
          'q=nothing-like-it',
        ]) {
          await page.goto(`/account/staff-tickets?${query}`)
          await expect(
            page
              .locator('main')
              .getByText(/#1\d{3}|Nothing found/)
              .first(),
          ).toBeVisible()
          await fits(query)
        }
        await page.goto('/account/staff-tickets?tab=processing')
        await page.getByRole('button', { name: /^Priority:/ }).click()
        await expectAccessible(page, 'filters of the desk')
        await page.keyboard.press('Escape')
        await page.getByRole('link', { name: /Slow every night/ }).click()
        await expect(page.getByText('A quiet night at last')).toBeVisible()
        await fits('a long conversation with notes')
        await page.getByRole('button', { name: /^Assigned to / }).click()
        await expect(page.getByRole('menuitem', { name: 'Give back' })).toBeVisible()
        await expectAccessible(page, 'whom a ticket can go to')
        await page.keyboard.press('Escape')
        if (width < 1024) {
          await page.getByRole('button', { name: 'Customer', exact: true }).click()
          await expect(page.getByRole('dialog').getByText('anna@example.com')).toBeVisible()
          await expectAccessible(page, 'the customer')
          await page.keyboard.press('Escape')
        }
        await page.getByRole('button', { name: 'Canned replies' }).click()
        await expect(page.getByRole('option').first()).toBeVisible()
        await expectAccessible(page, 'canned replies')
        await page.getByRole('button', { name: 'Manage…' }).click()
        await expectAccessible(page, 'management of canned replies')
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('s')
        await expect(page.getByRole('option').first()).toBeVisible()
        await expectAccessible(page, 'palette')
        await page.keyboard.press('Escape')
        await page
          .getByRole('button', { name: /^Search/ })
          .filter({ visible: true })
          .first()
          .click()
        await expect(page.getByRole('combobox')).toBeFocused()
        await page.keyboard.press('Escape')
        await page.getByRole('heading', { level: 1 }).focus()
        await page.keyboard.press('?')
        await expect(page.getByText('Insert canned reply (at the start of a line)')).toBeVisible()
        await expectAccessible(page, 'key list of staff')
      })

      test('with dialogs, menus and toasts open', async ({ page }) => {
        test.setTimeout(120_000)
        await newCustomer(page, 'en')
        await page.goto('/account/settings/account')
        await page.getByRole('button', { name: 'Delete account' }).click()
        await expectAccessible(page, 'dialog')
        await page.keyboard.press('Escape')
        await page.getByLabel('Postal code').fill('20095')
        const bar = page.getByRole('region', { name: 'Unsaved changes' })
        await expect(bar).toBeVisible()
        await expectAccessible(page, 'a form that changed')
        await bar.getByRole('button', { name: 'Save' }).click()
        await expect(bar).toBeHidden()
        await expectAccessible(page, 'toast')
        if (width >= 768) {
          await page.getByRole('button', { name: /^User menu/ }).click()
          await expectAccessible(page, 'user menu')
          await page.keyboard.press('Escape')
        } else {
          await page.getByRole('button', { name: 'Menu' }).click()
          await expectAccessible(page, 'drawer')
          await page.keyboard.press('Escape')
        }
        await page.keyboard.press('?')
        await expectAccessible(page, 'key list')
        await page.keyboard.press('Escape')
        await page.goto('/account/settings/security')
        await page.getByRole('button', { name: 'Set up' }).first().click()
        await expect(page.getByRole('dialog').locator('svg').first()).toBeVisible()
        await expectAccessible(page, 'two-factor set-up')
        await page.goto('/account/finances?missing=1240')
        await expect(page.getByRole('dialog', { name: 'Top up balance' })).toBeVisible()
        await page.getByLabel('Amount', { exact: true }).fill('ten')
        await page.getByRole('button', { name: 'Continue to payment' }).click()
        await expectAccessible(page, 'top-up')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Redeem voucher' }).click()
        await expectAccessible(page, 'voucher')
      })

      test('on the pages of servers, with their dialogs open', async ({ page }) => {
        test.setTimeout(180_000)
        const { token } = await newCustomer(page, 'en')
        const calls = new ServerCalls(page, token)
        await calls.paysIn('3000')
        const free = await calls.adds('brave-otter-42')
        const paid = await calls.orders('web-1', 'starter-month')
        const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
        const looksAt = async (...dialogs: string[]) => {
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
          await expectAccessible(page, page.url())
          for (const name of dialogs) {
            await press(name)
            await expect(page.getByRole('dialog')).toBeVisible()
            await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
            await expectAccessible(page, name)
            await page.keyboard.press('Escape')
          }
          const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
          expect(fits, `${page.url()} does not scroll sideways`).toBe(true)
        }
        await page.goto('/account/servers/list')
        await expect(page.getByText('web-1', { exact: true })).toBeVisible()
        await looksAt('New server')
        await page.goto(`/account/servers/host/${free}`)
        await expect(page.getByText('Licence key')).toBeVisible()
        await looksAt('Set IPv4', 'Connect server')
        await page.goto(`/account/servers/host/${paid}`)
        await expect(page.getByRole('link', { name: 'Invoice' })).toBeVisible()
        await looksAt('Renew', 'Licence file', 'Rename', 'Change IPv4', 'Delete server')
        await calls.checksIn(await calls.connects(paid))
        await expect(page.getByText(/The agent checks in from/)).toBeVisible()
        await expect(page.getByRole('img', { name: /^Load/ })).toBeVisible()
        await looksAt('New token')
      })
    })
  }
}
