import { jonas } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'

test('staff see an account as its customer does, in a frame, by keyboard alone; the customer reads who looked', async ({
  page,
  browser,
}) => {
  const { token } = await newCustomer(page, 'en', 'viewed')
  await callApi(page, 'PATCH', '/api/users/update/', { token, data: { name: 'Viola' } })
  await page.goto('/account/settings/security')
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  const id = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('user') ?? '{}') as { id: string }).id,
  )

  const staff = await staffAtDesk(browser, jonas)
  const asked: string[] = []
  await staff.goto(`/account/staff-customers/${id}`)
  await staff.getByRole('button', { name: 'View as customer' }).press('Enter')
  await expect(staff.getByLabel('Reason, for staff')).toBeFocused()
  await staff.keyboard.type('Sees no servers')
  await staff.keyboard.press('Enter')
  const frame = staff.getByRole('region', { name: 'View of an account' })
  await expect(frame).toContainText('You’re viewing the account of Viola')
  await expect(frame).toContainText(/1[45] minutes left/)
  await expect(staff.getByText('Viola').first()).toBeVisible()
  // The customer's page shows it without being loaded again.
  await expect(page.getByText('Account viewed as the customer')).toBeVisible()

  // From here on each page is one of the view; until now the member's own page may still have asked for its own events.
  staff.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await staff.goto('/account/settings/account')
  await expect(staff.getByLabel('First name')).toHaveValue('Viola')
  await staff.getByLabel('First name').fill('Mallory')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('nothing can be changed').first()).toBeVisible()
  await expect(frame).toBeVisible()
  // Parts that no view shows say so, whichever way their calls refuse.
  await staff.goto('/account/settings/security')
  await expect(staff.getByText('this part isn’t shown').first()).toBeVisible()
  await expect(staff.getByText('You are not allowed')).toHaveCount(0)
  expect(asked).not.toContain('/api/events/')

  await frame.getByRole('button', { name: 'End view' }).press('Enter')
  await expect(staff).toHaveURL(new RegExp(`/staff-customers/${id}`))
  await expect(staff.getByRole('heading', { level: 1, name: 'Viola' })).toBeVisible()
  await expect(frame).toHaveCount(0)
  await staff.context().close()
})
