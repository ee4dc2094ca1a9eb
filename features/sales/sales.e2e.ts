import type { Locator } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { anyAddress, ServerCalls } from '#tests/stories/server-calls.ts'
import { passTimeFor } from '#tests/stories/story-database.ts'
import { Visitor } from '#tests/stories/visitor.ts'
import { m } from '#texts/messages.js'

// The customer's main path, against the whole product: a server, its licence, and its end.
const locale: Locale = 'en'

test.use({
  locale: browserLocales[locale],
  viewport: { width: 1280, height: 900 },
})

test('V-04 H-03 H-02 H-01 a server is ordered with money from a top-up, and renewed', async ({ page }) => {
  test.setTimeout(180_000)
  await newCustomer(page, locale)
  const customer = new Customer(page, locale)
  await page.goto('/account/servers/list')
  await customer.presses(m.licences_order_host)
  const dialog = page.getByRole('dialog', { name: customer.text(m.licences_order_host) })
  await dialog.getByLabel(customer.text(m.hosts_name), { exact: true }).fill('web-1')
  await dialog.getByLabel(customer.text(m.hosts_ipv4)).fill('300.0.2.7')
  const compared = dialog.getByRole('table', { name: customer.text(m.sales_features) })
  for (const name of ['Starter', 'Standard', 'Business'])
    await expect(compared.getByRole('columnheader', { name }), 'a column for each edition').toBeVisible()
  await expect(compared.getByRole('row').nth(1)).toContainText(customer.text(m.sales_machines))
  await dialog.getByText('1 year', { exact: true }).click()
  await expect(dialog.getByText(/^Saves €\d/), 'L-13 each of three by the year').toHaveCount(3)
  await dialog.getByText('1 month', { exact: true }).click()
  await expect(dialog.getByText(/^Saves €\d/)).toHaveCount(0)
  await dialog.getByRole('radio', { name: /^(Standard|Стандарт)/ }).check()
  await expect(dialog.getByText(customer.says(m.sales_missing, '2368'))).toBeVisible()
  await expectAccessible(page, 'an order that the balance does not suffice for')

  await dialog.getByRole('link', { name: customer.text(m.sales_top_up) }).click()
  await customer.pays('50')
  await page.getByRole('link', { name: customer.text(m.sales_go_on) }).click()
  const address = dialog.getByLabel(customer.text(m.hosts_ipv4))
  await expect(address, 'what was typed waited').toHaveValue('300.0.2.7')
  await expect(dialog.getByLabel(customer.text(m.hosts_name), { exact: true })).toHaveValue('web-1')
  await expect(dialog.locator('dl')).toContainText(customer.euros('5000'))
  await expect(dialog.locator('dl'), 'what is left afterwards').toContainText(customer.euros('2632'))

  await dialog.getByRole('button', { name: customer.says(m.sales_pay, '2368') }).click()
  await expect(dialog.getByText(customer.text(m.error_invalid_ipv4))).toBeVisible()
  await address.fill(anyAddress())
  await dialog.getByRole('button', { name: customer.says(m.sales_pay, '2368') }).dblclick()
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  const card = customer.licence()
  await expect(card).toContainText(customer.text(m.hosts_licence_active))
  await expect(customer.rows()).toHaveCount(1)

  await customer.presses(m.sales_renew)
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /^(Starter|Старт)/ })
    .first()
    .check()
  await page.getByRole('button', { name: customer.says(m.sales_pay_renew, '583') }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(customer.rows()).toHaveCount(2)
  await expect(customer.rows().first()).toContainText(customer.euros('583'))
  await customer.rows().first().getByRole('link').click()
  await expect(page).toHaveURL(/\/account\/invoices\/[\w-]{22}$/)
  await expect(page.getByText(customer.euros('583')).first()).toBeVisible()
  await page.goto('/account/finances')
  await expect(page.getByText(customer.euros('2049')).first(), 'charged once each').toBeVisible()
})

test('H-01 H-02 V-05 a licence renews itself, runs out, and the server connects and is deleted by its name', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { token } = await newCustomer(page, locale)
  const customer = new Customer(page, locale)
  const calls = new ServerCalls(page, token)
  await calls.paysIn('5000')
  const host = await calls.orders('web-1', 'starter-month')
  await page.goto(`/account/servers/host/${host}`)
  const switchOf = page.getByRole('switch', { name: customer.text(m.sales_auto_renew) })
  await customer.switches(switchOf)
  await page.reload()
  await expect(switchOf, 'the server keeps it').toBeChecked()

  await passTimeFor(host, (await calls.daysLeft(host)) - 0.5)
  await expect(customer.rows(), 'renewed by itself, and told to the open page').toHaveCount(2, {
    timeout: 30_000,
  })
  await expect(customer.rows().first()).toContainText(customer.text(m.sales_kind_auto_renewal))
  await customer.switches(switchOf)
  await expect(switchOf).not.toBeChecked()

  await passTimeFor(host, (await calls.daysLeft(host)) + 0.5)
  await expect(customer.licence()).toContainText(customer.text(m.hosts_licence_expired), {
    timeout: 30_000,
  })

  await calls.checksIn(await calls.connects(host))
  const state = page.getByText(customer.text(m.hosts_connected), { exact: true })
  await expect(state.first(), 'told to the open page').toBeVisible()

  await customer.presses(m.hosts_delete)
  const dialog = page.getByRole('dialog')
  const sure = dialog.getByRole('button', { name: customer.text(m.hosts_delete_button) })
  await dialog.getByRole('textbox').fill('web')
  await sure.click()
  await expect(dialog.getByText(customer.text(m.error_name_mismatch))).toBeVisible()
  await dialog.getByRole('textbox').fill('web-1')
  await sure.click()
  await expect(page).toHaveURL(/\/account\/servers\/list$/)
  await expect(page.getByText(customer.text(m.hosts_none), { exact: true })).toBeVisible()
})

class Customer extends Visitor {
  licence(): Locator {
    return this.page
      .locator('section')
      .filter({ has: this.page.getByRole('heading', { level: 2, name: this.text(m.sales_licence) }) })
  }

  /** The payments for the server. */
  rows(): Locator {
    return this.page
      .locator('section')
      .filter({
        has: this.page.getByRole('heading', { level: 2, name: this.text(m.sales_history) }),
      })
      .getByRole('listitem')
  }

  /** Tops up with the test provider, from the dialog that is open. */
  async pays(amount: string): Promise<void> {
    const field = this.page.getByLabel(this.text(m.finance_amount), { exact: true })
    await expect(field).toBeVisible()
    await field.fill(amount)
    await this.page.getByRole('radio', { name: this.text(m.finance_provider_test) }).check()
    await this.presses(m.finance_top_up_go)
    await this.presses(m.finance_test_page_pay)
    const paid = m.finance_top_up_paid({ amount: this.euros(`${amount}00`) }, { locale: this.locale })
    await expect(this.page.getByText(paid)).toBeVisible()
  }

  /** The switch moves at once; the next step must wait until it is saved. */
  async switches(control: Locator): Promise<void> {
    const saved = this.page.waitForResponse(
      (reply) => reply.request().method() === 'PATCH' && reply.url().includes('/api/hosts/'),
    )
    await control.click()
    expect((await saved).status()).toBe(200)
  }
}
