import { anna, olivia } from '#app/seed/people.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { expect, test } from '#tests/harness/story.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('staff see the tickets and servers of a customer at once, on a window of 1280×800', async ({
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia)
  await staff.goto('/account/staff-customers/')
  await staff.getByRole('searchbox').fill(anna.email)
  await staff.getByRole('row').filter({ hasText: anna.email }).getByRole('link').first().click()
  const part = (name: string) =>
    staff.locator('section', { has: staff.getByRole('heading', { level: 2, name }) })
  for (const name of ['Latest tickets', 'Latest servers']) {
    const lines = part(name).getByRole('listitem')
    for (const line of [lines.first(), lines.nth(2)]) await expect(line, name).toBeInViewport({ ratio: 1 })
  }
  expect(await staff.evaluate(() => window.scrollY)).toBe(0)
  await staff.context().close()
})

test('staff find a customer by an IPv4, note something, give credit and send its mail again, by keyboard alone', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'found-by-address')
  const ipv4 = `198.18.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250) + 1}`
  await new ServerCalls(page, customer.token).adds('lost-one', ipv4)

  const context = await browser.newContext({ locale: 'en-GB' })
  const staff = await context.newPage()
  await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(staff, olivia)
  await staff.goto('/account/staff-tickets/')
  await expect(staff.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await goByKeys(staff, 'c', 'Customers')
  await staff.keyboard.press('/')
  await staff.keyboard.type(ipv4)
  await expect(staff.getByText(`Server: ${ipv4}`)).toBeVisible()
  await staff.getByRole('searchbox').blur()
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  const parts = staff.getByRole('navigation', { name: 'Parts of the customer page' })
  await parts.getByRole('link', { name: 'Notes' }).press('Enter')
  await staff.getByLabel('Note', { exact: true }).fill('Called about a lost server')
  await staff.getByRole('button', { name: 'Add note' }).press('Enter')
  await expect(staff.getByRole('list', { name: 'Notes' })).toContainText('Called about a lost server')

  await parts.getByRole('link', { name: 'Money' }).press('Enter')
  await staff.getByRole('button', { name: 'Add credit' }).press('Enter')
  await expect(staff.getByLabel('Amount in EUR')).toBeFocused()
  await staff.keyboard.type('20')
  await staff.keyboard.press('Tab')
  await staff.keyboard.type('Outage on Monday')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('€20.00 has been added').first()).toBeVisible()
  await expect(staff.getByText('Credit: Outage on Monday')).toBeVisible()

  await staff.getByRole('button', { name: 'Statement of a month' }).press('Enter')
  await staff.getByLabel('Month', { exact: true }).selectOption({ index: 0 })
  const statement = staff.getByRole('table', { name: 'Statement of a month' })
  await expect(statement).toContainText('Credit: Outage on Monday')
  await staff.keyboard.press('Escape')

  await parts.getByRole('link', { name: 'Emails' }).press('Enter')
  await staff.getByRole('button', { name: 'Send again' }).first().press('Enter')
  await expect(staff.getByText(`Sent again to ${customer.email}`)).toBeVisible()
  await expect(staff.getByText('A security email is never sent again').first()).toBeVisible()
  await context.close()
  await page.goto('/account/finances')
  await expect(page.getByText('Credit: Outage on Monday')).toBeVisible()
  await page.getByRole('link', { name: 'Statements' }).press('Enter')
  await page.getByLabel('Month', { exact: true }).selectOption({ index: 0 })
  await expect(page.getByRole('table', { name: 'Statement of a month' })).toContainText('€20.00')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF' }).press('Enter')
  expect((await file).suggestedFilename()).toMatch(/^statement-\d{4}-\d\d\.pdf$/)
})
