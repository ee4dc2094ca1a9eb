import { HOTP, Secret } from 'otpauth'
import { randomUUID } from 'node:crypto'
import type { Browser, Locator, Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { newCustomer } from './new-customer.ts'
import { goByKeys, staffAtDesk } from './staff-at-desk.ts'

// The twelve actions of an ordinary day must be possible on a phone, by keyboard alone, in each language, at most four steps from the
// desk. Here are eight; a refund (features/customers), a price (features/catalogue), an announcement and the VAT of a quarter (features/books)
// have stories of their own.

const TOTP = '/api/allauth/app/v1/account/authenticators/totp'
const MOST_STEPS = 4

for (const [place, locale] of locales.entries())
  test(`an ordinary day of staff, at 360 px and by keyboard alone, in ${locale}`, async ({
    page,
    browser,
  }) => {
    const said = { locale }
    const customer = await customerWithFactor(page, locale)
    const { ipv4, reference } = await announcing(page, customer.token, place)
    const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
    const colleague = await colleagueOf(staff, browser, locale)
    const day = new Day(staff, locale)
    const parts = staff.getByRole('navigation', { name: m.customers_parts({}, said) })

    await test.step('find a customer by an IPv4, and give credit', async () => {
      await day.go('c', m.shell_customers({}, said))
      await day.search(ipv4)
      await day.press(staff.locator('#content [data-row]').first())
      await day.press(parts.getByRole('link', { name: m.customers_tab_money({}, said) }))
      await day.press(staff.getByRole('button', { name: m.customers_give_credit({}, said) }))
      await day.fill('amount', '20', 'reason', 'Outage on Monday')
      await expect(staff.getByRole('list', { name: m.customers_transactions({}, said) })).toContainText(
        /20[.,]00/,
      )
    })

    await test.step('reset a lost factor', async () => {
      await day.go('c', m.shell_customers({}, said))
      await day.search(customer.email)
      await day.press(staff.locator('#content [data-row]').filter({ hasText: customer.email }))
      await day.press(parts.getByRole('link', { name: m.shell_security({}, said) }))
      await day.press(staff.getByRole('button', { name: m.customers_reset_factor({}, said) }))
      await day.fill('reason', 'Lost the phone')
      await expect(staff.getByRole('button', { name: m.customers_reset_cancel({}, said) })).toBeVisible()
    })

    await test.step('lock a stolen account', async () => {
      await day.go('c', m.shell_customers({}, said))
      await day.search(customer.email)
      await day.press(staff.locator('#content [data-row]').filter({ hasText: customer.email }))
      await day.press(staff.getByRole('button', { name: m.customers_block({}, said) }))
      const dialog = staff.getByRole('dialog')
      await dialog.locator('[name=level]').selectOption('locked')
      await dialog.locator('[name=cause]').selectOption('stolen')
      await dialog.locator('[name=message]').fill('Call us before you sign in again.')
      await day.fill('reason', 'Called from the number on the invoices')
      await expect(staff.getByText('Called from the number on the invoices').first()).toBeVisible()
    })

    await test.step('confirm a transfer', async () => {
      await day.go('b', m.customers_transfers({}, said))
      await day.search(reference)
      const confirm = m.customers_transfers_confirm_this({ reference }, said)
      await day.press(staff.getByRole('button', { name: confirm }))
      await day.fill('reason', 'Seen on the statement')
      await expect(staff.getByRole('button', { name: confirm })).toHaveCount(0)
    })

    await test.step('import a statement of 500 payments', async () => {
      await day.go('b', m.customers_transfers({}, said))
      const payments = Array.from({ length: 500 }, (_, nth) => ({
        amount: 100 + nth,
        name: `Payer ${nth} of ${customer.email}`,
        text: `Order ${nth}`,
      }))
      const buffer = Buffer.from(bankStatement(payments, { id: `S-${customer.email}` }))
      const choosing = staff.waitForEvent('filechooser')
      await day.press(staff.getByRole('button', { name: m.banking_import({}, said) }))
      await (await choosing).setFiles({ name: 'statement.xml', mimeType: 'text/xml', buffer })
      await expect(staff.getByText(m.banking_imported({ count: 500, exact: '0' }, said))).toBeVisible()
    })

    await test.step('revoke a colleague', async () => {
      await day.goByPalette(m.team_title({}, said))
      const row = staff.getByRole('listitem').filter({ hasText: colleague })
      await day.press(row.getByRole('button', { name: m.team_revoke({}, said) }))
      await day.fill('reason', 'Left the company')
      await expect(staff.getByRole('list', { name: m.team_members({}, said) })).not.toContainText(colleague)
    })

    await test.step('find who did what since yesterday', async () => {
      await day.goByPalette(m.operations_audit({}, said))
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
      await staff.locator('[name=from]').fill(yesterday)
      await staff.locator('[name=act]').selectOption('staff.revoked')
      await expect(staff).toHaveURL(new RegExp(`from=${yesterday}`))
      const entry = staff.getByRole('list', { name: m.operations_audit({}, said) }).getByRole('listitem')
      await expect(entry.filter({ hasText: colleague }).first()).toContainText('Olivia')
    })
    await staff.context().close()
  })

/** Counts the steps of each action: the way to a page, and each link or button until its form. */
class Day {
  private readonly page: Page
  private readonly locale: Locale
  private steps = 0

  constructor(page: Page, locale: Locale) {
    this.page = page
    this.locale = locale
  }

  async go(letter: string, heading: string): Promise<void> {
    this.steps = 1
    await this.page.locator('body').press('Escape')
    await goByKeys(this.page, letter, heading)
  }

  async goByPalette(heading: string): Promise<void> {
    this.steps = 1
    await this.page.keyboard.press('Control+k')
    await this.page
      .getByRole('combobox', { name: m.shell_palette_search({}, { locale: this.locale }) })
      .fill(heading)
    await expect(this.page.getByRole('option', { name: heading }).first()).toBeVisible()
    await this.page.keyboard.press('Enter')
    await expect(this.page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }

  /** Into the page's search, whose list then shows one thing. */
  async search(text: string): Promise<void> {
    await this.page.keyboard.press('/')
    await this.page.keyboard.type(text)
    await expect(this.page).toHaveURL(/(q|reference)=/)
    await expect(this.page.locator('#content').getByText(text).first()).toBeVisible()
  }

  async press(what: Locator): Promise<void> {
    this.steps += 1
    expect(this.steps).toBeLessThanOrEqual(MOST_STEPS)
    await what.press('Enter')
  }

  /** Fills the open dialog by names of its fields, and sends it from the last one. */
  async fill(...given: string[]): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    for (let nth = 0; nth < given.length; nth += 2) {
      await dialog.locator(`[name=${given[nth]}]`).fill(given[nth + 1] ?? '')
    }
    await this.page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
}

async function customerWithFactor(page: Page, locale: Locale): Promise<{ email: string; token: string }> {
  const customer = await newCustomer(page, locale, 'ordinary-day')
  const headers = { authorization: `Bearer ${customer.token}` }
  const begun = (await (await page.request.get(TOTP, { headers })).json()) as { meta: { secret: string } }
  const secret = Secret.fromBase32(begun.meta.secret)
  const code = HOTP.generate({ secret, counter: Math.floor(Date.now() / 30_000), digits: 6 })
  expect((await page.request.post(TOTP, { headers, data: { code } })).status()).toBe(200)
  return customer
}

/** A server, and a bank transfer that is waited for. */
async function announcing(
  page: Page,
  token: string,
  place: number,
): Promise<{ ipv4: string; reference: string }> {
  const headersOf = () => ({ authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() })
  const ipv4 = `198.18.78.${100 + place}`
  const added = await page.request.post('/api/hosts/', {
    headers: headersOf(),
    data: { name: 'lost-one', ipv4 },
  })
  expect(added.status()).toBe(201)
  const data = { amount: '2500', provider: 'bank' }
  const announced = await page.request.post('/api/finances/top-ups/', { headers: headersOf(), data })
  return { ipv4, reference: ((await announced.json()) as { bank: { reference: string } }).bank.reference }
}

/** Somebody to whom the member at the desk gives a role. Their address. */
async function colleagueOf(staff: Page, browser: Browser, locale: Locale): Promise<string> {
  const context = await browser.newContext()
  const theirs = await newCustomer(await context.newPage(), locale, 'colleague')
  const own = { authorization: `Bearer ${theirs.token}` }
  const { id } = (await (await context.request.get('/api/users/detail/', { headers: own })).json()) as {
    id: string
  }
  const headers = {
    authorization: `Bearer ${await staff.evaluate(() => localStorage.getItem('access_token'))}`,
  }
  const data = { roles: ['support'], reason: 'In this story' }
  const given = await staff.request.put(`/api/staff/members/${id}/roles/`, { headers, data })
  expect(given.status(), await given.text()).toBe(200)
  await context.close()
  return theirs.email
}
