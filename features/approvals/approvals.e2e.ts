import { jonas, olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { idOf } from '#tests/stories/account-calls.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { goByKeys } from '#tests/stories/staff-at-desk.ts'

test('the support asks for credit, and an owner approves it, by keyboard alone', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'credited')
  const id = await idOf(page, customer.token)

  const [his, hers] = [
    await browser.newContext({ locale: 'en-GB' }),
    await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } }),
  ]
  const [support, owner] = [await his.newPage(), await hers.newPage()]
  for (const staff of [support, owner]) await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(support, jonas)
  await signIn(owner, olivia)
  await owner.goto('/account/staff-tickets/')
  await expect(owner.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await goByKeys(owner, 'p', 'Approvals')

  await support.goto(`/account/staff-customers/${id}?tab=money`)
  await support.getByRole('button', { name: 'Add credit' }).press('Enter')
  await expect(support.getByLabel('Amount in EUR')).toBeFocused()
  await support.keyboard.type('12.34')
  await expect(support.getByText(/It will wait until a colleague approves it/)).toBeVisible()
  await support.keyboard.press('Tab')
  await support.keyboard.type('Outage on Monday')
  await support.keyboard.press('Enter')
  await expect(support.getByText('€12.34: waiting for a colleague’s approval').first()).toBeVisible()

  // The request arrives on the open page.
  const row = owner.getByRole('listitem', { name: /^Credit of €12\.34/ })
  await expect(row).toContainText('The balance goes from €0.00 to €12.34.')
  await expectAccessible(owner, 'the approvals of an owner')
  await row.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(owner.getByLabel('Note')).toBeFocused()
  await expectAccessible(owner, 'the dialog of an approval')
  await owner.keyboard.type('Fine with me')
  await owner.keyboard.press('Enter')
  await expect(owner.getByText('Approved and carried out').first()).toBeVisible()
  await expect(owner.getByRole('list', { name: 'Decided' })).toContainText('Fine with me')

  await support.getByRole('link', { name: 'Approvals' }).press('Enter')
  await expect(support.getByRole('list', { name: 'Decided' })).toContainText('Olivia Grant')
  await page.goto('/account/finances')
  await expect(page.getByText('Credit: Outage on Monday')).toBeVisible()
  await his.close()
  await hers.close()
})
