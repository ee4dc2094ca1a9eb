import { olivia } from '#app/seed/people.ts'
import { expect, readMail, test } from '#tests/harness/story.ts'
import { switchOnTotp } from '#tests/stories/account-calls.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { goByKeys } from '#tests/stories/staff-at-desk.ts'

test('staff lock a stolen account and reset a lost factor, by keyboard alone; its owner stops the reset', async ({
  page,
  browser,
}) => {
  const { email, token } = await newCustomer(page, 'en', 'lost-factor')
  await switchOnTotp(page, token)
  await page.goto('/account/settings/security')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const context = await browser.newContext({ locale: 'en-GB' })
  const staff = await context.newPage()
  await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(staff, olivia)
  await staff.goto('/account/staff-tickets/')
  await expect(staff.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await goByKeys(staff, 'c', 'Customers')
  await staff.keyboard.press('/')
  await staff.keyboard.type(email)
  await expect(staff).toHaveURL(/q=/)
  await expect(staff.locator('[data-row]')).toHaveCount(1)
  await staff.getByRole('searchbox').blur()
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')

  const parts = staff.getByRole('navigation', { name: 'Parts of the customer page' })
  await parts.getByRole('link', { name: 'Security' }).press('Enter')
  await staff.getByRole('button', { name: 'Reset second factor' }).press('Enter')
  await expect(staff.getByLabel('Reason, for staff')).toBeFocused()
  await staff.keyboard.type('Lost the phone')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText(/will be reset on .* requested by/)).toBeVisible()
  const { text } = await readMail(page, email, /view=factor-reset/)
  const link = new URL(/https?:\S+view=factor-reset\S+/.exec(text)?.[0] ?? '')

  await staff.getByRole('button', { name: 'Block or lock' }).press('Enter')
  await expect(staff.getByLabel('Access')).toBeFocused()
  await staff.keyboard.press('L')
  await staff.keyboard.press('Tab')
  await staff.keyboard.type('Stolen')
  await staff.keyboard.press('Tab')
  await staff.keyboard.type('Called from the number on the invoices')
  await staff.keyboard.press('Tab')
  await staff.keyboard.type('Call us before you sign in again.')
  await staff.keyboard.press('Tab')
  await staff.keyboard.press('Tab')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('Stolen account: Called from the number')).toBeVisible()
  await context.close()

  // The open page of the account is signed out by itself.
  await expect(page).toHaveURL(/\/account\/auth/)
  expect((await readMail(page, email, /Call us before you sign in again/)).subject).toContain('is locked')
  await page.goto(link.pathname + link.search)
  await page.getByRole('button', { name: 'Stop the reset' }).click()
  await expect(page.getByRole('heading', { name: 'The reset has been stopped' })).toBeVisible()
})
