import { readFileSync } from 'node:fs'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

const en = { locale: 'en' } as const

test('the transactions of a customer are found, and a table of all is made and fetched, by keyboard alone', async ({
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia)
  await staff.goto('/account/staff-transactions/')
  await expect(staff.getByRole('table', { name: m.books_transactions({}, en) })).toBeVisible()
  await staff.keyboard.press('/')
  await staff.keyboard.type('anna@example.com')
  await staff.locator('[name=type]').selectOption('charge_back')
  await expect(staff).toHaveURL(/q=anna%40example\.com&type=charge_back/)
  const rows = staff.getByRole('table', { name: m.books_transactions({}, en) }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await expectAccessible(staff, 'the transactions of all customers')
  await staff.getByRole('searchbox').blur()
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/staff-customers\/.*tab=money/)

  await goByKeys(staff, 'r', m.books_title({}, en))
  await staff.getByRole('button', { name: m.books_export_new({}, en) }).press('Enter')
  const dialog = staff.getByRole('dialog')
  await dialog.locator('[name=kind]').selectOption('transactions')
  await expectAccessible(staff, 'the dialog of an export')
  await dialog.locator('[name=to]').press('Enter')
  await expect(dialog).toBeHidden()
  const file = staff
    .getByRole('list', { name: m.books_exports({}, en) })
    .getByRole('listitem')
    .filter({ hasText: m.books_export_transactions({}, en) })
    .first()
  await expect(file).toBeVisible()
  const saved = staff.waitForEvent('download')
  await file.getByRole('button', { name: m.books_export_fetch({}, en) }).press('Enter')
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines[0]).toMatch(/^\u{FEFF}/u)
  for (const line of lines.slice(1)) expect(line).toMatch(/EUR/)
  await staff.context().close()
})
