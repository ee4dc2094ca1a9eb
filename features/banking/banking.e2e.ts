import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('staff import a statement, book its exact payments together and the others one by one, by keyboard alone', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'transfers')
  const reference = await new ServerCalls(page, customer.token).announces('2500')

  const context = await browser.newContext({ locale: 'en-GB' })
  const staff = await context.newPage()
  await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(staff, olivia)
  await staff.goto('/account/staff-tickets/')
  await expect(staff.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await goByKeys(staff, 'b', 'Bank transfers')

  const choosing = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: 'Import statement' }).press('Enter')
  const chooser = await choosing
  await chooser.setFiles({ name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from('no statement') })
  await expect(staff.getByText(/isn’t a bank statement we can read/)).toBeVisible()
  const again = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: 'Import statement' }).press('Enter')
  const xml = bankStatement([
    { amount: 2500, text: `invoice ${reference.replaceAll('-', ' ')}`, name: 'Exact Payer' },
    { amount: 777, text: 'for the servers', name: 'Unknown Payer' },
    { amount: 888, text: 'of no day', name: 'Odd Payer', day: '2026-02-30' },
  ])
  await (await again).setFiles({ name: 'statement.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) })
  await expect(
    staff.getByText('2 new payments, 1 of them exact. 1 part is unclear: see below.'),
  ).toBeVisible()
  const odd = staff.getByRole('list', { name: 'Unclear parts' })
  // The reasons of what was noticed before are there in a new page, too, in which no call was refused.
  await staff.reload()
  await expect(odd).toContainText('Entry 3: The booking date is unclear.')
  await expect(odd).toContainText('Odd Payer')
  await expectAccessible(staff, 'the bank transfers')
  await odd.getByRole('button', { name: 'Mark as done: Entry 3' }).first().press('Enter')
  await expect(staff.getByText('Marked as done').first()).toBeVisible()
  await expect(odd.getByText('Odd Payer')).toHaveCount(0)

  await staff.getByRole('button', { name: /^Book \d+ exact payments?$/ }).press('Enter')
  const lines = staff.getByRole('table', { name: 'Payments' })
  await expect(lines).not.toContainText('Exact Payer')

  const row = lines.locator('tbody tr').filter({ hasText: 'Unknown Payer' })
  await staff.getByLabel('Find a payment').fill('for the servers')
  await expect(lines.locator('tbody tr')).toHaveCount(1)
  await lines.getByRole('button', { name: 'Amount' }).press('Enter')
  await expect(staff).toHaveURL(/q=for\+the\+servers.*sort=highest/)
  await row.getByRole('button', { name: 'Unknown Payer' }).press('Enter')
  const dialog = staff.getByRole('dialog')
  await expect(dialog).toContainText('for the servers')
  await staff.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await row.getByRole('button', { name: 'Book €7.77' }).press('Enter')
  await dialog.getByLabel('Customer’s email address').fill(customer.email)
  await dialog.getByLabel('Reason').fill('Called us')
  await expectAccessible(staff, 'the dialog of a payment')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText(`€7.77 booked to ${customer.email}`).first()).toBeVisible()
  await context.close()

  await page.goto('/account/finances')
  await expect(page.getByText('€32.77').first()).toBeVisible()
})

test('a CSV statement is described once, shown, and imported by keyboard alone, at 360 px in German', async ({
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia, { locale: 'de', width: 360 })
  await goByKeys(staff, 'b', m.customers_transfers({}, de))
  const bank = `Sparkasse ${Date.now().toString(36)}`
  const csv = `Tag;Zahler;Zweck;Summe;Art\n20.11.2026;${bank};Danke;1.234,50;Z\n`
  const choosing = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: m.banking_import({}, de) }).press('Enter')
  await (await choosing).setFiles({ name: 'umsatz.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel(m.banking_csv_bank({}, de), { exact: true }).selectOption('new')
  await dialog.locator('[name=bank]').fill(bank)
  // The file shows its day, payer and text; the amount has no name that a bank gives it, and nothing says what went out.
  await expect(dialog.locator('[name=date]')).toHaveValue('Tag')
  await expect(dialog.getByText(m.banking_csv_asked({}, de))).toBeVisible()
  await dialog.locator('[name=amount]').selectOption('Summe')
  await dialog.locator('[name=bank]').press('Enter')
  await expect(dialog.getByRole('alert')).toContainText(m.error_direction_unclear({}, de))
  await dialog.locator('[name=direction]').selectOption(m.banking_csv_minus({}, de))
  await dialog.locator('[name=bank]').press('Enter')
  await expect(dialog.getByText(m.banking_csv_first({}, de)).first()).toBeVisible()
  await expect(dialog.getByRole('listitem')).toContainText('1.234,50')
  await expectAccessible(staff, 'the first payments of a CSV statement')
  await dialog.getByRole('button', { name: m.banking_csv_import({ count: 1 }, de) }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(staff.getByText(m.banking_imported({ count: 1, exact: '0' }, de))).toBeVisible()
  await staff.getByLabel(m.banking_search({}, de)).fill(bank)
  await expect(staff.getByRole('table', { name: m.banking_lines({}, de) })).toContainText(bank)
  await staff.context().close()
})

const de = { locale: 'de' } as const
