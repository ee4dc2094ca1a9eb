import { olivia } from '#app/seed/people.ts'
import { expect, linkIn, readMail, test } from '#tests/harness/story.ts'
import { giveRoles, idOf } from '#tests/stories/account-calls.ts'
import { settleMember } from '#tests/stories/story-database.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'

test('staff find a customer, have all data mailed to them, and delete the account with a second person', async ({
  page,
  browser,
}) => {
  const { email } = await newCustomer(page, 'en', 'forgotten')
  await page.goto('/account/settings/security')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const owner = await staffAtDesk(browser, olivia)
  const context = await browser.newContext({ locale: 'en-GB' })
  const office = await context.newPage()
  const member = await newCustomer(office, 'en', 'office')
  await office.goto('/account/settings/account')
  await expect(office.getByRole('heading', { level: 1 })).toBeVisible()
  const memberId = await idOf(office, member.token)
  await giveRoles(owner, memberId, ['admin'])
  await settleMember(memberId)

  await office.goto('/account/staff-customers/')
  await office.getByRole('searchbox').fill(email)
  await expect(office.locator('[data-row]')).toHaveCount(1)
  await office.locator('[data-row]').press('Enter')
  await office.getByRole('link', { name: 'Security' }).last().press('Enter')
  await office.getByRole('button', { name: 'Send a copy' }).press('Enter')
  await office.getByLabel('Reason, for staff').fill('Asked by phone')
  await office.keyboard.press('Enter')
  await expect(office.getByText(`The link is on its way to ${email}`).first()).toBeVisible()
  expect(linkIn(await readMail(page, email, /view=data-export/), /data-export/)).toContain('key=')
  // The customer's open page shows the export.
  await expect(page.getByText('Copy of all data sent to the customer')).toBeVisible()

  await office.getByRole('button', { name: 'Delete account' }).press('Enter')
  await office.getByLabel('Customer’s email address').fill(email)
  await office.getByLabel('Reason, for staff').fill('Asked in writing')
  await office.keyboard.press('Enter')
  await expect(office.getByText('Waiting for a colleague’s approval').first()).toBeVisible()

  await owner.goto('/account/staff-approvals/')
  const row = owner.getByRole('listitem', { name: /^Deletion of the account/ }).filter({ hasText: email })
  await row.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(owner.getByLabel('Note')).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(owner.getByText('Approved and carried out').first()).toBeVisible()
  await expect(page).toHaveURL(/\/account\/auth/)
  await giveRoles(owner, memberId, [])
  await context.close()
  await owner.context().close()
})
