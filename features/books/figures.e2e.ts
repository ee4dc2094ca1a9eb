import { readFileSync } from 'node:fs'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

const en = { locale: 'en' } as const

test('an invoice is found by keyboard, with its sums and its sale, and the figures are read off and saved', async ({
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia)
  await goByKeys(staff, 'i', m.books_invoices({}, en))
  await staff.keyboard.press('/')
  await staff.keyboard.type('anna@example.com')
  await staff.getByRole('button', { name: m.books_invoices_only_credit_notes({}, en) }).press('Enter')
  await expect(staff).toHaveURL(/q=anna%40example\.com&kind=credit_note/)
  const list = staff.getByRole('table', { name: m.books_invoices({}, en) })
  await expect(list.locator('tbody tr')).toHaveCount(4)
  await expectAccessible(staff, 'all invoices')
  // Opens the second row, a document of an invoice that was issued again.
  await staff.keyboard.press('j')
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  const chain = staff.getByRole('list', { name: m.books_invoice_chain({}, en) })
  await expect(chain.getByRole('listitem')).toHaveCount(3)
  const pdf = staff.waitForEvent('download')
  await staff.getByRole('button', { name: m.invoices_pdf({}, en) }).press('Enter')
  expect(
    readFileSync(await (await pdf).path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  await goByKeys(staff, 'r', m.books_title({}, en))
  await staff.getByRole('link', { name: m.books_tab_figures({}, en) }).press('Enter')
  const sales = m.books_revenue({}, en)
  await expect(staff.getByRole('img', { name: sales })).toBeVisible()
  const slider = staff.getByRole('slider', { name: `${sales}: ${m.books_month({}, en)}` })
  const last = await slider.getAttribute('aria-valuetext')
  await slider.press('ArrowLeft')
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '')
  await expectAccessible(staff, 'the figures')
  const file = staff.waitForEvent('download')
  await staff.getByRole('button', { name: m.books_csv_of({ report: sales }, en) }).press('Enter')
  const lines = readFileSync(await (await file).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines.length).toBeGreaterThan(12)
  for (const line of lines.slice(1)) expect(line).toMatch(/^\d{4}-\d\d,[^=].*,-?\d+\.\d\d,-?\d+\.\d\d,EUR$/)
  const best = staff.getByRole('table', { name: m.books_best({}, en) })
  await expect(best.getByRole('row').nth(1)).toContainText('€')
  const bestFile = staff.waitForEvent('download')
  await staff
    .getByRole('button', { name: m.books_csv_of({ report: m.books_best({}, en) }, en) })
    .press('Enter')
  expect(readFileSync(await (await bestFile).path(), 'utf8')).toMatch(/,EUR\r\n$/)
  await staff.context().close()
})
