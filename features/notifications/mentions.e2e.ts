import { paths } from '#features/paths.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { pageAt } from '#tests/stories/page-at.ts'
import { newStaff } from '#tests/stories/new-staff.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { m } from '#texts/messages.js'

test('a colleague who is mentioned in a note hears it at once, on the page that is open, and the customer never', async ({
  page: customer,
  browser,
}) => {
  const { token } = await newCustomer(customer, 'en')
  const ticket = await new ServerCalls(customer, token).asks('Is my backup complete?')
  const { page, email } = await newStaff(browser, 'en')
  const { page: other, email: mentioned } = await newStaff(browser, 'en')
  await other.goto(pageAt(paths.desk()))
  await expect(other.getByRole('button', { name: m.notifications_bell(), exact: true })).toBeVisible()

  await page.goto(pageAt(paths.deskTicket(ticket.id)))
  await expect(page.getByRole('heading', { level: 1, name: ticket.subject })).toBeVisible()
  await expect(page.getByRole('textbox', { name: m.messages_write(), exact: true })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByRole('button', { name: m.desk_mention(), exact: true })).toBeVisible()
  await page.keyboard.type('@')
  await expect(page.getByRole('combobox', { name: m.desk_mention_search() })).toBeFocused()
  await page.keyboard.type(mentioned)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.type('knows the backups.')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`@${mentioned} knows the backups.`)).toBeVisible()

  const bell = other.getByRole('button', { name: m.notifications_bell_unread({ count: 1 }), exact: true })
  await expect(bell, 'without a reload').toBeVisible()
  await other.goto('/account/staff-today')
  await expect(other.getByRole('link', { name: m.notifications_kind_mention() })).toContainText('1')
  await bell.press('Enter')
  const told = m.notifications_mention({ number: String(ticket.number), by: email })
  await other.getByRole('link', { name: told }).press('Enter')
  await expect(other).toHaveURL(pageAt(paths.deskTicket(ticket.id)))
  await expect(other.getByText(`@${mentioned} knows the backups.`)).toBeVisible()
  await expect(other.getByRole('button', { name: m.notifications_bell(), exact: true })).toBeVisible()

  await customer.goto(pageAt(paths.ticket(ticket.id)))
  await expect(customer.getByText('Since this morning.')).toBeVisible()
  await expect(customer.getByText('knows the backups.')).toHaveCount(0)
  await expect(customer.getByRole('button', { name: m.notifications_bell(), exact: true })).toBeVisible()
  for (const each of [page, other]) await each.context().close()
})
