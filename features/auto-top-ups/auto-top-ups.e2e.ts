import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

test('a balance that fills itself is turned on, changed and turned off', async ({ page }) => {
  const { token } = await newCustomer(page, 'en')
  const saved = await callApi<{ redirect_url: string }>(page, 'POST', '/api/finances/methods/saving/', {
    token,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    data: { provider: 'test', kind: 'card' },
    status: 201,
  })
  await page.goto(saved.redirect_url)
  await page.locator('button.main').click()
  await page.goto('/account/finances')
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog', { name: 'Automatic top-up' })
  await expect(dialog.getByLabel('Payment method')).toContainText('Visa •••• 4242')
  await expectAccessible(page, 'the dialog of the automatic top-up')
  await dialog.getByLabel('Monthly limit').fill('50')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const sentence =
    'We charge Visa •••• 4242 for what the renewals of the next 3 days lack, at most €50.00 a month.'
  await expect(page.getByText(sentence)).toBeVisible()
  await expectAccessible(page, 'the automatic top-up')

  await page.getByRole('button', { name: 'Change' }).click()
  await dialog.getByText('When the balance is low').click()
  await dialog.getByLabel('When the balance is below').fill('10')
  await dialog.getByLabel('Top up by').fill('60')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('The amount is above the monthly limit')).toBeVisible()
  await dialog.getByLabel('Top up by').fill('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('We charge Visa •••• 4242 €20.00 whenever', { exact: false })).toBeVisible()

  await page.getByRole('button', { name: 'Show charges' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog', { name: 'Turn off' }).getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
})
