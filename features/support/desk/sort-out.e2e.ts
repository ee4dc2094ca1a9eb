import { paths } from '#features/paths.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { pageAt } from '#tests/stories/page-at.ts'
import { newStaff } from '#tests/stories/new-staff.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { m } from '#texts/messages.js'

test('staff write a macro, answer by it, and let the ticket sleep until its customer answers', async ({
  page: customer,
  browser,
}) => {
  const { token } = await newCustomer(customer, 'en')
  const ticket = await new ServerCalls(customer, token).asks('The backup fails')
  const { page } = await newStaff(browser, 'en')
  const title = `Look at it ${Date.now().toString(36)}`
  await page.goto(pageAt(paths.deskTicket(ticket.id)))
  const field = page.getByRole('textbox', { name: m.messages_write(), exact: true })
  await field.click()
  await page.getByRole('button', { name: m.desk_replies(), exact: true }).click()
  await page.getByRole('button', { name: m.desk_replies_manage() }).click()
  await page.getByRole('button', { name: m.desk_reply_new() }).click()
  await page.getByLabel(m.desk_reply_title(), { exact: true }).fill(title)
  await page.getByLabel(m.desk_reply_text(), { exact: true }).fill('We look at the backup now.')
  await page.getByLabel(m.desk_priority(), { exact: true }).selectOption('high')
  await page.getByLabel(m.desk_assignee(), { exact: true }).selectOption('me')
  await page.getByLabel(m.desk_macro_tags(), { exact: true }).fill('backup')
  await expectAccessible(page, 'the form of a macro')
  await page.getByRole('button', { name: m.ui_save(), exact: true }).click()
  await expect(page.getByText(m.desk_reply_saved()).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await field.press('/')
  await expect(page.getByRole('combobox', { name: m.desk_replies_search() })).toBeFocused()
  await page.keyboard.type(title)
  const acts = ['priority High', 'tag backup', 'assign to me'].join(' · ')
  await expect(page.getByRole('option').first()).toContainText(m.desk_macro_does({ acts }))
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('We look at the backup now.')
  await expect(page.getByText(m.desk_macro_after({ acts }))).toBeVisible()
  await field.press('Enter')
  await expect(page.getByRole('button', { name: m.desk_you_have_it() })).toBeVisible()
  await expect(page.getByRole('list', { name: m.desk_tags() })).toHaveText('backup')

  await field.press('Escape')
  await page.keyboard.press('z')
  const snooze = page.getByRole('dialog', { name: m.desk_snooze_title({ number: String(ticket.number) }) })
  await snooze.getByLabel(m.desk_snooze_end()).selectOption('answer')
  await expectAccessible(page, 'the dialog that snoozes')
  await snooze.getByRole('button', { name: m.desk_snooze(), exact: true }).press('Enter')
  const asleep = page.getByRole('main').getByText(m.desk_snoozed_until_answer())
  await expect(asleep).toBeVisible()
  await customer.goto(pageAt(paths.ticket(ticket.id)))
  await expect(customer.getByText('We look at the backup now.')).toBeVisible()
  await customer.getByRole('textbox', { name: m.messages_write(), exact: true }).fill('It failed again.')
  await customer.keyboard.press('Enter')
  await expect(page.getByText('It failed again.')).toBeVisible()
  await expect(asleep, 'an answer wakes it').toBeHidden()
  await page.context().close()
})

test('staff close three tickets at once by keys, and take it back by one press', async ({
  page: customer,
  browser,
}) => {
  const { token } = await newCustomer(customer, 'en')
  const calls = new ServerCalls(customer, token)
  const word = `wave${Date.now().toString(36)}`
  for (const place of [1, 2, 3]) await calls.asks(`${word} ${place}`)
  const { page } = await newStaff(browser, 'en')
  await page.goto(pageAt(paths.desk({ tab: 'incoming', q: word })))
  const rows = page.getByRole('list', { name: m.desk_title() }).getByRole('link', { name: word })
  await expect(rows).toHaveCount(3)
  await rows.first().focus()
  await page.keyboard.press('x')
  await rows.last().focus()
  await page.keyboard.press('Shift+X')
  const bar = page.getByRole('region', { name: m.desk_selection() })
  await expect(bar.getByText(m.desk_selected({ count: 3 }))).toBeVisible()
  await expectAccessible(page, 'the selected tickets')
  await bar.getByRole('button', { name: m.desk_several_close(), exact: true }).press('Enter')
  await expect(page.getByText(m.desk_several_done({ count: 3 }))).toBeVisible()
  await expect(rows).toHaveCount(0)
  await page.getByRole('button', { name: m.ui_undo(), exact: true }).click()
  await expect(page.getByText(m.desk_several_undone({ count: 3 }))).toBeVisible()
  await expect(rows).toHaveCount(3)
  await page.context().close()
})
