import { paths } from '#features/paths.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { pageAt } from '#tests/stories/page-at.ts'
import { newStaff } from '#tests/stories/new-staff.ts'
import { passDueOf } from '#tests/stories/story-database.ts'
import { m } from '#texts/messages.js'

const EXPECTED = new RegExp(`^${m.tickets_expected({ time: '.+', before: '.+' })}$`)
const LATE = new RegExp(m.tickets_late_since({ time: '.+' }))

test('a customer reads by when an answer comes, before and after writing; a late ticket is marked and first for staff', async ({
  page,
  browser,
}) => {
  await newCustomer(page, 'en')
  const word = `late${Date.now().toString(36)}`
  const write = async (subject: string, priority: string) => {
    await page.goto('/account/tickets')
    await page.getByRole('button', { name: m.tickets_new() }).first().click()
    const dialog = page.getByRole('dialog', { name: m.tickets_new() })
    await dialog.getByLabel(m.tickets_subject(), { exact: true }).fill(`${word} ${subject}`)
    await dialog.getByLabel(m.tickets_topic(), { exact: true }).selectOption('technical')
    await dialog.getByLabel(m.tickets_priority(), { exact: true }).selectOption(priority)
    await dialog.getByLabel(m.tickets_message(), { exact: true }).fill('Since this morning.')
    await expect(dialog.getByText(EXPECTED), 'before it is written').toBeVisible()
    await dialog.getByRole('button', { name: m.tickets_create(), exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: `${word} ${subject}` })).toBeVisible()
    await expect(page.getByText(EXPECTED), 'and afterwards').toBeVisible()
    return new URL(page.url()).pathname.split('/').at(-1) ?? ''
  }
  await write('critical', 'critical')
  const late = await write('forgotten', 'low')
  await passDueOf(late)

  const staff = await newStaff(browser, 'en')
  await staff.page.goto(pageAt(paths.desk({ tab: 'incoming', q: word })))
  const rows = staff.page.getByRole('list', { name: m.desk_title() }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(`${word} forgotten`)
  await expect(rows.first().getByText(LATE)).toBeVisible()
  await expect(rows.last().getByText(LATE)).toHaveCount(0)
  await expectAccessible(staff.page, 'the list with a late ticket')
  await staff.page.getByRole('button', { name: new RegExp(`^${m.desk_priority()}`) }).click()
  await staff.page.getByRole('menuitemradio', { name: m.tickets_priority_low(), exact: true }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows.getByText(LATE)).toBeVisible()

  // The row of Today leads to the late ones of every tab.
  await staff.page.goto(pageAt(paths.today()))
  await staff.page.getByRole('link', { name: m.operations_today_overdue() }).click()
  await expect(staff.page).toHaveURL(/tab=all&late=yes/)
  await expect(rows.filter({ hasText: `${word} forgotten` })).toHaveCount(1)
  await expect(rows.filter({ hasText: `${word} critical` })).toHaveCount(0)
  await expect(staff.page.getByRole('button', { name: m.desk_late() })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expectAccessible(staff.page, 'the list of late tickets')

  await page.goto(pageAt(paths.ticket(late)))
  await expect(page.getByText(new RegExp(m.tickets_expected_late({ time: '.+' })))).toBeVisible()
  await staff.page.context().close()
})
