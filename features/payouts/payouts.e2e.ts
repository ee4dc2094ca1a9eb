import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, readMail, test } from '#tests/harness/story.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { Keyboard } from '#tests/stories/keyboard.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'

test.use({ locale: browserLocales.en, viewport: { width: 1280, height: 900 } })

// By keyboard alone, on both sides: money is asked for, sent by a file, and comes back from the bank.
test('rule 61: a customer asks for the balance, staff send it by a file, and both see what became of it', async ({
  page,
  browser,
}) => {
  const { email, token } = await newCustomer(page, 'en', 'paid-out')
  await new ServerCalls(page, token).paysIn('5000')
  await page.goto('/account/finances')
  await asksFor(page)
  const own = page.getByRole('listitem').filter({ hasText: 'bank account ending in 3000' })
  await expect(own).toContainText('Under way')
  const asked = await readMail(page, email, /are paying it out to you/)
  expect(asked.subject).toBe('Your payout of €50.00 is on its way')
  const reference = /PO-[0-9A-F]{10}/.exec(asked.text)?.[0] ?? ''
  await expect(own).toContainText(reference)

  const staff = await staffAtDesk(browser, olivia)
  const day = new DayAtDesk(staff, 'en')
  await day.goByPalette('Payouts')
  const row = staff
    .getByRole('table', { name: 'Payouts', exact: true })
    .getByRole('row')
    .filter({ hasText: email })
  await expect(row).toContainText('… 3000')
  await day.press(staff.getByRole('button', { name: 'Make a file' }))
  await expect(staff.getByText(/^PF-[0-9A-F]{10} is ready to download$/).first()).toBeVisible()
  const file = staff.getByRole('table', { name: 'Files for the bank' }).getByRole('row').nth(1)
  await expectAccessible(staff, 'the payouts of staff')
  const download = staff.waitForEvent('download')
  await day.press(file.getByRole('button', { name: /^SEPA XML/ }))
  const xml = await readFile(await (await download).path(), 'utf8')
  expect(xml).toContain('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')
  expect(xml.split(`<EndToEndId>${reference}</EndToEndId>`)).toHaveLength(2)
  await day.press(file.getByRole('button', { name: /^Record that all payouts of PF-/ }))
  await expect(staff.getByText('All payouts of the file are recorded as sent').first()).toBeVisible()
  await expect(row).toHaveCount(0)
  // The open page of the customer hears of it.
  await expect(own).toContainText('Sent')
  expect((await readMail(page, email, /has left us/)).subject).toBe('We have sent your payout of €50.00')

  await day.search(reference, staff.getByRole('searchbox', { name: 'Search by reference' }))
  await row.getByRole('button', { name: 'More about the payout of €50.00' }).press('Enter')
  await staff.getByRole('menuitem', { name: 'Failed or came back' }).press('Enter')
  await expectAccessible(staff, 'the dialog of a payout that came back')
  await day.fill('reason', 'The account was closed')
  await expect(row).toContainText('Came back')
  await staff.context().close()
  await expect(own).toContainText('Came back')
  await expect(own).toContainText('The account was closed')
  await expect(page.getByRole('button', { name: 'Pay out', exact: true })).toBeVisible()
  expect((await readMail(page, email, /did not reach you/)).text).toContain('The account was closed')
})

/** Asks for all that can be paid out. A mistyped IBAN is refused at its field, and nothing that was typed is lost. */
async function asksFor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay out', exact: true }).press('Enter')
  const keys = new Keyboard(page)
  const dialog = page.getByRole('dialog', { name: 'Pay out' })
  await expect(dialog.getByText('Up to €50.00 can be paid out.')).toBeVisible()
  const [iban, holder] = [dialog.getByLabel('IBAN'), dialog.getByLabel('Account holder')]
  await keys.types(iban, 'DE89 3704 0044 0532 0130 01')
  await keys.types(holder, 'Anna Öztürk')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/^This is not a valid IBAN/)).toBeVisible()
  await expectAccessible(page, 'a payout that was refused')
  await expect(iban).toBeFocused()
  await expect(holder).toHaveValue('Anna Öztürk')
  await keys.types(iban, 'DE89 3704 0044 0532 0130 00')
  await page.keyboard.press('Enter')
  await expect(page.getByText('€50.00 is on its way to your bank account').first()).toBeVisible()
  await expect(dialog).toBeHidden()
}
