import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

const locale = 'de'
const said = { locale } as const

test('B-14 an invoice is issued again to another buyer, by keyboard at 360 px', async ({ page, browser }) => {
  const { token, email } = await newCustomer(page, locale, 'reissued')
  const calls = new ServerCalls(page, token)
  await calls.paysIn('5000')
  await calls.orders('again', 'starter-month')

  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  await staff.goto(`/account/staff-invoices?q=${encodeURIComponent(email)}`)
  const rows = staff.getByRole('table', { name: m.books_invoices({}, said) }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  const number = await rows.getByRole('link').first().innerText()
  await staff.getByRole('button', { name: m.books_invoice_actions({ number }, said) }).press('Enter')
  await staff.getByRole('menuitem', { name: m.books_reissue({}, said) }).press('Enter')
  const dialog = staff.getByRole('dialog', { name: m.books_reissue_title({ number }, said) })
  await expect(dialog.getByText(m.books_reissue_no_difference({}, said))).toBeVisible()
  await dialog.getByLabel(m.books_reissue_buyer({}, said)).selectOption('typed')
  await dialog.getByLabel(m.profile_company({}, said)).fill('Brückner GmbH')
  await dialog.getByLabel(m.books_reissue_reason({}, said)).fill('Firma nachgetragen')
  await expectAccessible(staff, 'the dialog of a reissue')
  // An invoice to a company needs an address; the refusal keeps what was typed.
  await dialog.getByLabel(m.books_reissue_reason({}, said)).press('Enter')
  await expect(dialog.getByText(m.error_required({}, said)).first()).toBeVisible()
  await dialog.getByLabel(m.books_reissue_name({}, said)).fill('Anna Brückner')
  await dialog.getByLabel(m.profile_address({}, said)).fill('Am Markt 1')
  await dialog.getByLabel(m.profile_zip({}, said)).fill('20095')
  await dialog.getByLabel(m.profile_city({}, said)).fill('Hamburg')
  await dialog.getByLabel(m.profile_country({}, said), { exact: true }).selectOption('DE')
  await dialog.getByLabel(m.books_reissue_reason({}, said)).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(rows).toHaveCount(3)
  await rows.getByRole('link').first().press('Enter')
  await expect(staff.getByText(/Brückner GmbH, Am Markt 1, 20095 Hamburg/)).toBeVisible()
  await expectAccessible(staff, 'an invoice that replaces another')
  await staff
    .getByRole('term')
    .filter({ hasText: m.books_invoice_replaces({}, said) })
    .waitFor()
  await staff.getByRole('link', { name: number, exact: true }).first().press('Enter')
  await staff
    .getByRole('term')
    .filter({ hasText: m.books_invoice_replaced_by({}, said) })
    .waitFor()
  await expect(staff.getByRole('button', { name: m.books_reissue({}, said) })).toHaveCount(0)
  await staff.context().close()
})
