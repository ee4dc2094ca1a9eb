import { olivia } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { giveRoles, idOf } from '#tests/stories/account-calls.ts'
import { settleMember } from '#tests/stories/story-database.ts'
import { callApi } from '#tests/stories/call-api.ts'

test('billing decides how a customer elsewhere in the EU is taxed, and a second person confirms it', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'taxed')
  const vat = { country: 'AT', vat_id: 'ATU12345678' }
  await callApi(page, 'PATCH', '/api/users/update/', { token: customer.token, data: vat, status: 200 })
  const id = await idOf(page, customer.token)

  const owner = await staffAtDesk(browser, olivia)
  const context = await browser.newContext({ locale: 'en-GB' })
  const office = await context.newPage()
  const member = await newCustomer(office, 'en', 'billing')
  const memberId = await idOf(office, member.token)
  await giveRoles(owner, memberId, ['billing'])
  await settleMember(memberId)

  await office.goto(`/account/staff-customers/${id}`)
  await office.getByRole('button', { name: 'Change VAT treatment' }).press('Enter')
  const dialog = office.getByRole('dialog')
  await expect(dialog.locator('[name=vat_id]')).toHaveValue(vat.vat_id)
  await dialog.getByLabel('Reason, for staff').fill('Register extract by post')
  await office.keyboard.press('Enter')
  await expect(office.getByText('A second person must approve the VAT treatment.').first()).toBeVisible()

  await owner.goto('/account/staff-approvals/')
  const row = owner.getByRole('listitem', { name: /^VAT treatment/ }).filter({ hasText: customer.email })
  await row.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(owner.getByLabel('Note')).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(owner.getByText('Approved and carried out').first()).toBeVisible()
  await office.reload()
  await expect(office.getByText('Register extract by post')).toBeVisible()
  await giveRoles(owner, memberId, [])
  await context.close()
  await owner.context().close()
})
