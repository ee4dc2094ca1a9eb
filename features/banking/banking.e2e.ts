import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'

test('a statement is imported, what is exact is booked at once, and the rest one by one, by keyboard alone', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'transfers')
  const headers = { authorization: `Bearer ${customer.token}`, 'idempotency-key': 'the-announced-transfer-1' }
  const announced = await page.request.post('/api/finances/top-ups/', {
    headers,
    data: { amount: '2500', provider: 'bank' },
  })
  const { bank } = (await announced.json()) as { bank: { reference: string } }

  const context = await browser.newContext({ locale: 'en-GB' })
  const staff = await context.newPage()
  await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(staff, olivia)
  await staff.goto('/account/staff-tickets/')
  await expect(staff.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
  await staff.keyboard.press('g')
  await staff.keyboard.press('b')
  await expect(staff.getByRole('heading', { level: 1, name: 'Bank transfers' })).toBeVisible()

  const choosing = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: 'Import statement' }).press('Enter')
  const chooser = await choosing
  await chooser.setFiles({ name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from('no statement') })
  await expect(staff.getByText(/isn’t a bank statement we can read/)).toBeVisible()
  const again = staff.waitForEvent('filechooser')
  await staff.getByRole('button', { name: 'Import statement' }).press('Enter')
  const xml = bankStatement([
    { amount: 2500, text: `invoice ${bank.reference.replaceAll('-', ' ')}`, name: 'Exact Payer' },
    { amount: 777, text: 'for the servers', name: 'Unknown Payer' },
  ])
  await (await again).setFiles({ name: 'statement.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) })
  await expect(staff.getByText('2 new payments, 1 of them exact.')).toBeVisible()
  await expectAccessible(staff, 'the bank transfers')

  await staff.getByRole('button', { name: /^Book \d+ exact payments?$/ }).press('Enter')
  const lines = staff.getByRole('list', { name: 'Payments' })
  await expect(lines).not.toContainText('Exact Payer')

  await lines.getByRole('button', { name: 'Book €7.77' }).press('Enter')
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('Email of the customer').fill(customer.email)
  await dialog.getByLabel('Reason').fill('Called us')
  await expectAccessible(staff, 'the dialog of a payment')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText(`€7.77 booked to ${customer.email}`).first()).toBeVisible()
  await context.close()

  await page.goto('/account/finances')
  await expect(page.getByText('€32.77').first()).toBeVisible()
})
