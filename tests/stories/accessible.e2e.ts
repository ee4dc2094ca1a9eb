import type { Locator, Page } from '@playwright/test'
import { anna, olivia } from '#app/seed/people.ts'
import type { Host } from '#features/hosts/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { expectAccessibleEverywhere, widths } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { goWithin, headingOf } from './go-within.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'

const outside = [
  '/account/auth',
  '/account/auth?view=signup',
  '/account/auth?view=forgotten',
  '/account/auth?view=check-mail',
  '/account/auth?view=code',
  '/account/auth?reset=none',
  '/account/auth?verify=none',
]
const inside = [
  '/account/servers/list',
  '/account/servers/host/x1',
  '/account/tickets/',
  '/account/tickets/x1',
  '/account/staff-today/',
  '/account/staff-tickets/',
  '/account/staff-tickets/x1',
  '/account/staff-held-mails/',
  '/account/staff-customers/',
  '/account/staff-servers/',
  '/account/staff-transfers/',
  '/account/staff-payouts/',
  '/account/staff-approvals/',
  '/account/staff-system/',
  '/account/settings/account',
  '/account/settings/security',
  '/account/finances/',
  '/account/finances?view=invoices',
  '/account/finances/paid-for',
  '/account/finances?type=spend&from=2026-01-01&to=2026-01-31',
  '/account/invoices/x1',
  '/account/nowhere',
]

// Each state of a page is opened once and checked in all widths and themes: opening it again would take the most time.
test.use({ viewport: { width: 1280, height: 900 } })
test.setTimeout(240_000)

test('before signing in', async ({ page }) => {
  await looksAtEach(page, outside)
})

test('on every page', async ({ page }) => {
  await signIn(page, olivia)
  await looksAtEach(page, inside)
})

test('on the pages of somebody with a year behind them', async ({ page }) => {
  // All stories share the example people: another story may just have chosen another language for them.
  await page.addInitScript(() => localStorage.setItem('locale', 'en'))
  const token = await signIn(page, anna)
  const read = async <Item>(path: string) =>
    (await callApi<{ items: Item[] }>(page, 'GET', path, { token })).items
  const [invoice] = await read<{ id: string }>('/api/invoices/')
  const hosts = await read<Host>('/api/hosts/')
  const tickets = await read<Ticket>('/api/tickets/')
  const partsOf = ({ licence, connected, ipv4, agent }: Host) =>
    [licence.status, connected, ipv4 === null, agent === null].join()
  await looksAtEach(page, [
    '/account/finances',
    '/account/finances?view=invoices',
    '/account/finances?type=charge_back',
    '/account/finances/paid-for',
    `/account/invoices/${invoice?.id}`,
    '/account/servers/list',
    ...differing(hosts, partsOf).map(({ id }) => `/account/servers/host/${id}`),
    '/account/tickets',
    '/account/tickets?tab=closed',
    ...differing(tickets, ({ status }) => status).map(({ id }) => `/account/tickets/${id}`),
  ])
  await page.goto('/account/finances?type=charge_back')
  await page.getByRole('list', { name: 'Transactions' }).getByRole('button').click()
  await expectAccessibleEverywhere(page, 'a transaction', { open: page.getByRole('dialog') })
})

test('at the desk of the staff, in a conversation and with the palette open', async ({ page }) => {
  await signIn(page, olivia)
  await page.addInitScript(() => localStorage.setItem('locale', 'en'))
  for (const query of [
    'tab=incoming',
    'tab=waiting',
    'tab=closed',
    'tab=all&q=server',
    'q=nothing-like-it',
  ]) {
    await page.goto(`/account/staff-tickets?${query}`)
    const found = page
      .locator('main')
      .getByText(/#1\d{3}|Nothing found/)
      .first()
    await expectAccessibleEverywhere(page, query, { open: found })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/account/staff-tickets?tab=processing')
  await page.getByRole('button', { name: /^Priority:/ }).click()
  await expectAccessibleEverywhere(page, 'filters of the desk', { open: page.getByRole('menu') })
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Slow every night/ }).click()
  await expectAccessibleEverywhere(page, 'a long conversation with notes', {
    open: page.getByText('A quiet night at last'),
  })
  await page.getByRole('button', { name: /^Assigned to / }).click()
  const colleagues = page.getByRole('menuitem', { name: 'Return to queue' })
  await expectAccessibleEverywhere(page, 'whom a ticket can go to', { open: colleagues })
  await page.keyboard.press('Escape')
  // The customer's card is beside the conversation where there is room, and a dialog where there is none.
  await page.setViewportSize({ width: 768, height: 900 })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Customer', exact: true }).click()
  const customer = page.getByRole('dialog').getByText('anna@example.com')
  await expectAccessibleEverywhere(page, 'the customer', { at: [768, 360], open: customer })
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Write a message' }).focus()
  await page.getByRole('button', { name: 'Canned replies' }).click()
  await expectAccessibleEverywhere(page, 'canned replies', { open: page.getByRole('option') })
  await page.getByRole('button', { name: 'Manage…' }).click()
  await expectAccessibleEverywhere(page, 'management of canned replies', { open: page.getByRole('dialog') })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('s')
  await expectAccessibleEverywhere(page, 'palette', { open: page.getByRole('option') })
  await page.keyboard.press('Escape')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page
      .getByRole('button', { name: /^Search/ })
      .filter({ visible: true })
      .first()
      .click()
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('?')
  await expectAccessibleEverywhere(page, 'key list of staff', {
    open: page.getByText('Insert canned reply (at the start of a line)'),
  })
})

test('with dialogs, menus and toasts open', async ({ page }) => {
  await newCustomer(page, 'en')
  const dialog = page.getByRole('dialog')
  await page.goto('/account/settings/account')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expectAccessibleEverywhere(page, 'dialog', { open: dialog })
  await page.keyboard.press('Escape')
  await page.getByLabel('Postal code').fill('20095')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expectAccessibleEverywhere(page, 'a form that changed', { open: bar })
  for (const [index, width] of widths.entries()) {
    // A toast disappears after a while, and its place differs on a large screen: each width gets a toast of its own.
    await page.setViewportSize({ width, height: 900 })
    await page.getByLabel('Postal code').fill(`2009${index}`)
    await bar.getByRole('button', { name: 'Save' }).click()
    await expect(bar).toBeHidden()
    await expectAccessibleEverywhere(page, 'toast', { at: [width] })
  }
  await page.getByRole('button', { name: /^User menu/ }).click()
  await expectAccessibleEverywhere(page, 'user menu', { at: [768, 1280], open: page.getByRole('menuitem') })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 900 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectAccessibleEverywhere(page, 'drawer', { at: [360], open: dialog })
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expectAccessibleEverywhere(page, 'key list', { open: dialog })
  await page.keyboard.press('Escape')
  await page.goto('/account/settings/security')
  await page.getByRole('button', { name: 'Set up' }).first().click()
  await expectAccessibleEverywhere(page, 'two-factor set-up', { open: dialog.locator('svg') })
  await page.goto('/account/finances?missing=1240')
  await expect(page.getByRole('dialog', { name: 'Top up balance' })).toBeVisible()
  await page.getByLabel('Amount', { exact: true }).fill('ten')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectAccessibleEverywhere(page, 'top-up', { open: dialog })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Redeem voucher' }).click()
  await expectAccessibleEverywhere(page, 'voucher', { open: dialog })
})

test('on the pages of servers, with their dialogs open', async ({ page }) => {
  const { token } = await newCustomer(page, 'en')
  const calls = new ServerCalls(page, token)
  await calls.paysIn('3000')
  const free = await calls.adds('brave-otter-42')
  const paid = await calls.orders('web-1', 'starter-month')
  await page.goto('/account/servers/list')
  await looksAtDialogs(page, page.getByText('web-1', { exact: true }), 'New server')
  await page.goto(`/account/servers/host/${free}`)
  await looksAtDialogs(page, page.getByText('Licence key'), 'Set address', 'Connect server')
  await page.goto(`/account/servers/host/${paid}`)
  const dialogs = ['Renew', 'Licence file', 'Rename', 'Change address', 'Delete server']
  await looksAtDialogs(page, page.getByRole('link', { name: 'Invoice' }), ...dialogs)
  await calls.checksIn(await calls.connects(paid))
  await expect(page.getByText(/The agent checks in from/)).toBeVisible()
  await looksAtDialogs(page, page.getByRole('img', { name: /^Load/ }), 'New token')
})

/** Returns one item of each kind: further items of a kind have the same parts. */
const differing = <Item>(items: readonly Item[], kindOf: (item: Item) => unknown): Item[] =>
  items.filter((item, index) => items.findIndex((other) => kindOf(other) === kindOf(item)) === index)

async function looksAtEach(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await goWithin(page, path)
    await expectAccessibleEverywhere(page, path, { open: headingOf(page) })
  }
}

/** Checks the open page once `there` is visible, and then the dialogs that the buttons with these names open. */
async function looksAtDialogs(page: Page, there: Locator, ...names: string[]): Promise<void> {
  await expectAccessibleEverywhere(page, page.url(), { open: there })
  for (const name of names) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await expectAccessibleEverywhere(page, name, { open: page.getByRole('dialog') })
    await page.keyboard.press('Escape')
  }
}
