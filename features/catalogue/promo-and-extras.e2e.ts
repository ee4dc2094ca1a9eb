import type { Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { anyAddress, ServerCalls } from '#tests/stories/server-calls.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

const euros = /€[\d,]+\.\d\d/

/** Returns the sum that the button of the open order names, which is the total above it. */
async function sumOf(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: /^Order for €/ })
  const [sum = ''] = euros.exec(await button.innerText()) ?? []
  await expect(dialog.locator('dl').getByText('Total', { exact: true }).locator('..')).toContainText(sum)
  return sum
}

/** Returns what is left of an amount after a sum was taken off it. */
function leftOf(paid: string, sum: string): string {
  const cents = (money: string) => BigInt(money.replaceAll(/\D/g, ''))
  return `€${(cents(paid) - cents(sum)).toString().replace(/(\d\d)$/, '.$1')}`
}

/** Orders by the button, and expects the sum off the balance and on the invoice, which is opened. */
async function orders(page: Page, name: string, { sum, left }: { sum: string; left: string }): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Order for ${sum}` })
    .press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goto('/account/finances')
  await expect(page.getByText(left).first()).toBeVisible()
  await page
    .getByRole('list', { name: 'Transactions' })
    .getByRole('listitem')
    .filter({ hasText: sum })
    .getByRole('link')
    .first()
    .press('Enter')
  await expect(page).toHaveURL(/\/account\/invoices\/[\w-]{22}$/)
  await expect(page.getByText(sum).first()).toBeVisible()
}

test('staff make a promo code for one order, one customer pays less by it, and the next is told that it is used up', async ({
  page,
  browser,
}) => {
  const code = `FAIR-${Date.now().toString(36).toUpperCase()}`
  const staff = await staffAtDesk(browser, olivia)
  await goByKeys(staff, 'l', 'Plans and vouchers')
  await staff.getByRole('button', { name: 'Create promo code' }).press('Enter')
  const making = staff.getByRole('dialog', { name: 'Create promo code' })
  await expect(making.locator('[name=code]')).toBeFocused()
  await staff.keyboard.type(code)
  await making.getByLabel('Lowers by').fill('25 %')
  await making.getByLabel('How many orders it lowers').fill('1')
  await expectAccessible(staff, 'the dialog of a promo code')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText(`Promo code ${code} created`).first()).toBeVisible()

  const asks = async (who: Page) => {
    await who.goto('/account/servers/list')
    await who.getByRole('button', { name: 'New server' }).first().press('Enter')
    const dialog = who.getByRole('dialog', { name: 'New server' })
    await dialog.getByLabel('Name', { exact: true }).fill('fair')
    await dialog.getByLabel('IPv4').fill(anyAddress())
    const before = await sumOf(who)
    await dialog.getByText('Do you have a promo code?').press('Enter')
    await dialog.locator('[name=promo]').fill(code.toLowerCase())
    // Enter applies the code, and orders nothing yet.
    await dialog.locator('[name=promo]').press('Enter')
    return { dialog, before }
  }
  const one = await newCustomer(page, 'en', 'lowered')
  await new ServerCalls(page, one.token).paysIn('10000')
  const { dialog, before } = await asks(page)
  await expect(dialog.getByRole('status').filter({ hasText: `Promo code ${code}` })).toBeVisible()
  await expectAccessible(page, 'an order with a promo code')
  const sum = await sumOf(page)
  expect(sum).not.toBe(before)
  await orders(page, 'fair', { sum, left: leftOf('100.00', sum) })

  const context = await browser.newContext({ locale: 'en-GB' })
  const late = await context.newPage()
  const two = await newCustomer(late, 'en', 'late')
  await new ServerCalls(late, two.token).paysIn('10000')
  const refused = await asks(late)
  await expect(refused.dialog.getByText('This promo code has been used up')).toBeVisible()
  await expect(refused.dialog.locator('[name=promo]')).toHaveValue(code.toLowerCase())
  await expect(refused.dialog.getByLabel('Name', { exact: true })).toHaveValue('fair')
  await expect(refused.dialog.getByLabel('IPv4')).toHaveValue(/^10\./)
  expect(await sumOf(late), 'the price of the list stands').toBe(refused.before)
  await expectAccessible(late, 'a promo code that is used up')
  await staff.reload()
  await expect(staff.getByRole('row').filter({ hasText: code })).toContainText('1 of 1')
  await Promise.all([context.close(), staff.context().close()])
})

test('rule 46: a fee, an add-on by quantity and a course are in the sum of an order, which is charged', async ({
  page,
}) => {
  const { token } = await newCustomer(page, 'en', 'extras')
  await new ServerCalls(page, token).paysIn('90000')
  await page.goto('/account/servers/list')
  await page.getByRole('button', { name: 'New server' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Ferry', exact: true }).press('Space')
  await dialog.getByRole('radio', { name: /^Ferry Team/ }).press('Space')
  await dialog.getByLabel('Name', { exact: true }).fill('archive')
  const extras = dialog.getByRole('group', { name: 'Extras' })
  await expect(extras).toContainText('Set up by us')
  const withFee = await sumOf(page)
  await extras.getByRole('spinbutton', { name: /^Storage with us/ }).fill('3')
  await extras.getByRole('checkbox', { name: /^Course for your team/ }).press('Space')
  await expect(dialog.locator('dl')).toContainText('3 × Storage with us')
  await expectAccessible(page, 'an order with extras')
  const sum = await sumOf(page)
  expect(sum).not.toBe(withFee)
  await orders(page, 'archive', { sum, left: leftOf('900.00', sum) })
  for (const line of ['Set up by us for archive', '3 × €3.00', 'Course for your team, two hours for archive'])
    await expect(page.locator('#content')).toContainText(line)
})
