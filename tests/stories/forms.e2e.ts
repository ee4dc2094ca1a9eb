import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { newCustomer } from './new-customer.ts'

// A link of a mail leads through the sign-in to its page. Its texts are checked in other stories.
const en = { locale: 'en' } as const
test('R-07 a link of a mail leads to its page after the sign-in', async ({ browser }) => {
  const password = 'correct horse 9 battery'
  const first = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  const { email } = await newCustomer(first, 'en', 'mail-link')
  await first.context().close()
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/account/tickets?tab=closed')
  await expect(page).toHaveURL(/\/account\/auth\/$/)
  await page.getByLabel(m.auth_email({}, en)).fill(email)
  await page.getByLabel(m.auth_password({}, en), { exact: true }).fill(password)
  await page.getByRole('button', { name: m.auth_sign_in({}, en), exact: true }).click()
  await expect(page).toHaveURL(/\/account\/tickets\?tab=closed$/)
  await context.close()
})
