import { olivia } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'

test('billing decides how a customer elsewhere in the EU is taxed, and a second person confirms it', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'taxed')
  const vat = { country: 'AT', vat_id: 'ATU12345678' }
  const mine = { authorization: `Bearer ${customer.token}` }
  expect((await page.request.patch('/api/users/update/', { headers: mine, data: vat })).status()).toBe(200)
  const idOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return ((await (await page.request.get('/api/users/detail/', { headers })).json()) as { id: string }).id
  }
  const id = await idOf(customer.token)

  const owner = await staffAtDesk(browser, olivia)
  const context = await browser.newContext({ locale: 'en-GB' })
  const office = await context.newPage()
  const member = await newCustomer(office, 'en', 'billing')
  const hers = { authorization: `Bearer ${await owner.evaluate(() => localStorage.getItem('access_token'))}` }
  const memberId = await idOf(member.token)
  const rolesOf = (roles: string[]) =>
    owner.request.put(`/api/staff/members/${memberId}/roles/`, {
      headers: hers,
      data: { roles, reason: 'In this story' },
    })
  expect((await rolesOf(['billing'])).status()).toBe(200)

  await office.goto(`/account/staff-customers/${id}`)
  await office.getByRole('button', { name: 'Change VAT treatment' }).press('Enter')
  const dialog = office.getByRole('dialog')
  await expect(dialog.locator('[name=vat_id]')).toHaveValue(vat.vat_id)
  await dialog.getByLabel('Reason, for staff').fill('Register extract by post')
  await office.keyboard.press('Enter')
  await expect(office.getByText('A second person must confirm the VAT treatment.').first()).toBeVisible()

  await owner.goto('/account/staff-approvals/')
  const row = owner.getByRole('listitem', { name: /^VAT treatment/ }).filter({ hasText: customer.email })
  await row.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(owner.getByLabel('Note')).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(owner.getByText('Approved and carried out').first()).toBeVisible()
  await office.reload()
  await expect(office.getByText('Register extract by post')).toBeVisible()
  expect((await rolesOf([])).status()).toBe(200)
  await context.close()
  await owner.context().close()
})
