import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

test('a card is saved once, tops up without being typed, makes room for another one, and is removed', async ({
  page,
}) => {
  await newCustomer(page, 'en')
  await page.goto('/account/finances')
  await page.getByRole('button', { name: 'Save a card' }).click()
  await page.locator('button.main').click()
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Payment methods' }) })
  await expect(card.getByText('Visa •••• 4242')).toBeVisible()
  await expect(card.getByText('Default', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Save a bank account' }).click()
  await page.locator('button.main').click()
  await expect(card.getByRole('button', { name: /^Make default/ })).toHaveCount(1)
  await expectAccessible(page, 'the saved payment methods')

  await page.getByRole('button', { name: 'Top up' }).first().click()
  const topUp = page.getByRole('dialog', { name: 'Top up balance' })
  await expect(topUp.getByRole('radio', { name: /^Visa •••• 4242/ })).toBeChecked()
  await topUp.getByRole('textbox', { name: 'Amount' }).fill('40')
  await expectAccessible(page, 'a top-up by a saved card')
  await topUp.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Paid', { exact: false }).first()).toBeVisible()
  await page.goto('/account/finances')
  await expect(page.getByText('€40.00').first()).toBeVisible()

  await card.getByRole('button', { name: /^Make default/ }).click()
  await expect(card.getByRole('button', { name: 'Make default: Visa •••• 4242' })).toBeVisible()
  await card.getByRole('button', { name: 'Remove: Visa •••• 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(card.getByText('Visa •••• 4242')).toHaveCount(0)
})
