import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

const locale = 'de'
const said = { locale } as const

test('an order is refunded in part by keyboard alone, at 360 px in German', async ({ page, browser }) => {
  const { token, email } = await newCustomer(page, locale, 'refunded')
  const calls = new ServerCalls(page, token)
  await calls.paysIn('20000')
  await calls.orders('half', 'starter-year')

  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  const day = new DayAtDesk(staff, locale)
  await day.go('c', m.shell_customers({}, said))
  await day.search(email)
  const rows = staff.getByRole('table', { name: m.shell_customers({}, said) }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await day.press(rows.getByRole('link').first())
  await day.press(staff.getByRole('link', { name: m.customers_tab_money({}, said) }))
  await day.press(staff.getByRole('button', { name: m.customers_refund({}, said), exact: true }))
  await expect(staff.locator('[name=amount]')).toBeFocused()
  await expectAccessible(staff, 'the dialog of a refund')
  // Two of twelve months, of which the amount is worked out.
  await day.type('months', '2')
  const price = await staff.locator('[name=amount]').inputValue()
  await day.fill('reason', 'Outage on Monday')
  await expect(staff.getByRole('list', { name: m.customers_transactions({}, said) })).toContainText(price)
  await staff.context().close()
})
