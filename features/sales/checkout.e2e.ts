import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { anyAddress } from '#tests/stories/server-calls.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

// A customer without money has a licence after four presses: a new server, the payment, the provider's own button, and a look at it.
test('H-03 an order pays itself, and one whose payment was left waits in the finances', async ({ page }) => {
  await newCustomer(page, 'en')
  await page.goto('/account/servers/list')
  let presses = 0
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    presses += 1
    await page.getByRole(role, { name }).first().click()
  }
  await press('button', 'New server')
  const dialog = page.getByRole('dialog', { name: 'New server' })
  await dialog.getByLabel('IPv4').fill(anyAddress())
  await expectAccessible(page, 'an order with its payment')
  await press('button', /^Pay €\d+\.\d\d and order$/)
  await press('button', /^Pay/)
  await expect(page.getByText('Paid and done')).toBeVisible()
  await expectAccessible(page, 'a paid order')
  await press('link', 'Open licence')
  await expect(page.getByText('Active', { exact: true }).first()).toBeVisible()
  expect(presses).toBe(4)

  await page.goto('/account/servers/list')
  await page.getByRole('button', { name: 'New server' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('left-alone')
  await dialog.getByLabel('IPv4').fill(anyAddress())
  await dialog.getByRole('button', { name: /^Pay €\d+\.\d\d and order$/ }).click()
  await expect(page).toHaveURL(/\/dev\/pay\//)
  await page.goto('/account/finances')
  const waiting = page.getByRole('listitem').filter({ hasText: 'left-alone' })
  await expect(waiting).toBeVisible()
  await expectAccessible(page, 'an open order')
  await waiting.getByRole('link', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: /^Pay/ }).first().click()
  await page.getByRole('link', { name: 'Open licence' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'left-alone' })).toBeVisible()

  await page.goto('/account/servers/list')
  await page.getByRole('button', { name: 'New server' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('kept')
  await dialog.getByRole('radio', { name: 'Free' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'Several servers' })).toBeFocused()
  await expect(dialog.getByRole('radio', { name: 'Several servers' })).toBeChecked()
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('kept')
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('textbox', { name: 'Servers' }).fill(`first ${anyAddress()}\nsecond ${anyAddress()}`)
  await dialog.getByRole('button', { name: /^Pay €\d+\.\d\d and order$/ }).click()
  await page.getByRole('button', { name: /^Pay/ }).first().click()
  await expect(page.getByText('Order of 2 licences.', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: 'Your servers' }).click()
  await expect(page.getByRole('link', { name: 'second' })).toBeVisible()
})
