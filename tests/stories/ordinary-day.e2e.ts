import type { Browser, Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import type { Locale } from '#foundation/locale.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { giveRoles, idOf, switchOnTotp } from './account-calls.ts'
import { DayAtDesk } from './day-at-desk.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { staffAtDesk } from './staff-at-desk.ts'

// The twelve actions of an ordinary day must be possible on a phone, by keyboard alone, at most four steps from the desk: DayAtDesk counts.
// The steps are the same in each language (languages.e2e.ts shows the texts), so the one with the longest words is enough. Here are eight; a refund (features/customers), a price (features/catalogue), an announcement and the VAT of a
// quarter (features/books) are counted in stories of their own.

const locale: Locale = 'ru'
test('an ordinary day of staff, at 360 px and by keyboard alone', async ({ page, browser }) => {
  const said = { locale }
  const customer = await customerWithFactor(page, locale)
  const { ipv4, reference } = await announcing(page, customer.token)
  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  const colleague = await colleagueOf(staff, browser, locale)
  const day = new DayAtDesk(staff, locale)
  const parts = staff.getByRole('navigation', { name: m.customers_parts({}, said) })

  await test.step('find a customer by an IPv4, and give credit', async () => {
    await day.go('c', m.shell_customers({}, said))
    await day.search(ipv4)
    await day.press(staff.locator('#content [data-row]').first())
    await day.press(parts.getByRole('link', { name: m.customers_tab_money({}, said) }))
    await day.press(staff.getByRole('button', { name: m.customers_give_credit({}, said) }))
    await day.fill('amount', '20', 'reason', 'Outage on Monday')
    await expect(staff.getByRole('list', { name: m.customers_transactions({}, said) })).toContainText(
      /20[.,]00/,
    )
  })

  await test.step('reset a lost factor', async () => {
    await day.go('c', m.shell_customers({}, said))
    await day.search(customer.email)
    await day.press(staff.locator('#content [data-row]').filter({ hasText: customer.email }))
    await day.press(parts.getByRole('link', { name: m.shell_security({}, said) }))
    await day.press(staff.getByRole('button', { name: m.customers_reset_factor({}, said) }))
    await day.fill('reason', 'Lost the phone')
    await expect(staff.getByRole('button', { name: m.customers_reset_cancel({}, said) })).toBeVisible()
  })

  await test.step('lock a stolen account', async () => {
    await day.go('c', m.shell_customers({}, said))
    await day.search(customer.email)
    await day.press(staff.locator('#content [data-row]').filter({ hasText: customer.email }))
    await day.press(staff.getByRole('button', { name: m.customers_block({}, said) }))
    const asked = 'Call us before you sign in again.'
    const reason = 'Called from the number on the invoices'
    await day.fill('level', 'locked', 'cause', 'stolen', 'message', asked, 'reason', reason)
    await expect(staff.getByText('Called from the number on the invoices').first()).toBeVisible()
  })

  await test.step('confirm a transfer', async () => {
    await day.go('b', m.customers_transfers({}, said))
    await day.search(reference, staff.getByLabel(m.customers_transfers_search({}, said)))
    const confirm = m.customers_transfers_confirm_this({ reference }, said)
    await day.press(staff.getByRole('button', { name: confirm }))
    await day.fill('reason', 'Seen on the statement')
    await expect(staff.getByRole('button', { name: confirm })).toHaveCount(0)
  })

  await test.step('import a statement of 500 payments', async () => {
    await day.go('b', m.customers_transfers({}, said))
    const payments = Array.from({ length: 500 }, (_, nth) => ({
      amount: 100 + nth,
      name: `Payer ${nth} of ${customer.email}`,
      text: `Order ${nth}`,
    }))
    const buffer = Buffer.from(bankStatement(payments, { id: `S-${customer.email}` }))
    const choosing = staff.waitForEvent('filechooser')
    await day.press(staff.getByRole('button', { name: m.banking_import({}, said) }))
    await (await choosing).setFiles({ name: 'statement.xml', mimeType: 'text/xml', buffer })
    await expect(staff.getByText(m.banking_imported({ count: 500, exact: '0' }, said))).toBeVisible()
  })

  await test.step('revoke a colleague', async () => {
    await day.goByPalette(m.team_title({}, said))
    const row = staff.getByRole('listitem').filter({ hasText: colleague })
    await day.press(row.getByRole('button', { name: m.team_revoke({}, said) }))
    await day.fill('reason', 'Left the company')
    await expect(staff.getByRole('list', { name: m.team_members({}, said) })).not.toContainText(colleague)
  })

  await test.step('find who did what since yesterday', async () => {
    await day.goByPalette(m.operations_audit({}, said))
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await day.search(colleague)
    await day.type('from', yesterday)
    await expect(staff).toHaveURL(new RegExp(`from=${yesterday}`))
    const entries = staff.getByRole('table', { name: m.operations_audit({}, said) }).locator('tbody tr')
    await expect(
      entries.filter({ hasText: 'Left the company' }).filter({ hasText: colleague }),
    ).toContainText('Olivia')
  })
  await staff.context().close()
})

async function customerWithFactor(page: Page, locale: Locale): Promise<{ email: string; token: string }> {
  const customer = await newCustomer(page, locale, 'ordinary-day')
  await switchOnTotp(page, customer.token)
  return customer
}

/** Adds a server and announces a bank transfer. Returns the address of the server and the reference of the transfer. */
async function announcing(page: Page, token: string): Promise<{ ipv4: string; reference: string }> {
  const calls = new ServerCalls(page, token)
  const ipv4 = '198.18.78.100'
  await calls.adds('lost-one', ipv4)
  return { ipv4, reference: await calls.announces('2500') }
}

/** Makes an account, to which the member of staff at the desk gives a role. Returns its address. */
async function colleagueOf(staff: Page, browser: Browser, locale: Locale): Promise<string> {
  const context = await browser.newContext()
  const theirs = await newCustomer(await context.newPage(), locale, 'colleague')
  await giveRoles(staff, await idOf(context, theirs.token), ['support'])
  await context.close()
  return theirs.email
}
