import { readFileSync } from 'node:fs'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

const locale = 'ru'
const said = { locale } as const

test('the VAT of the last quarter is closed by keyboard alone, at 360 px in Russian', async ({ browser }) => {
  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  const day = new DayAtDesk(staff, locale)
  await day.go('r', m.books_title({}, said))
  await expect(staff.getByRole('table').first()).toBeVisible()
  await expect(staff.getByText(m.books_differs({}, said))).toBeHidden()
  await expectAccessible(staff, 'the VAT of a quarter')
  const file = staff.waitForEvent('download')
  await day.press(staff.getByRole('button', { name: m.books_csv({}, said) }))
  const lines = readFileSync(await (await file).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines.slice(1)) expect(line).toMatch(/^\d{4}-Q[1-4],.*,EUR$/)
  await staff.context().close()
})
