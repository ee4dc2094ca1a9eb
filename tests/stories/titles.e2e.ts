import { expect, test } from '#tests/harness/story.ts'
import { goWithin, headingOf } from './go-within.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { callApi } from './call-api.ts'

test('the title names the view: sign-in, sign-up, forgotten, reset', async ({ page }) => {
  for (const [query, title] of [
    ['', 'Sign in · Hostdesk'],
    ['?view=signup', 'Create account · Hostdesk'],
    ['?view=forgotten', 'Forgot your password? · Hostdesk'],
  ] as const) {
    await page.goto(`/account/auth${query}`)
    await expect(page, query).toHaveTitle(title)
  }
  await page.goto('/account/auth?reset=some-key')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).not.toHaveText('Sign in')
  await expect(page).toHaveTitle(`${await heading.innerText()} · Hostdesk`)
})

test('the title names what the page shows: a ticket, a server, an invoice', async ({ page }) => {
  const { token } = await newCustomer(page, 'en', 'titles')
  const calls = new ServerCalls(page, token)
  await calls.paysIn('2000')
  const host = await calls.orders('web-1', 'starter-month')
  const chatId = (await calls.asks('Files')).id
  const { items } = await callApi<{ items: { id: string; number: string }[] }>(
    page,
    'GET',
    '/api/invoices/',
    { token },
  )
  const ticket = await callApi<{ number: number }>(page, 'GET', `/api/tickets/${chatId}/`, { token })
  for (const [path, title] of [
    [`/account/tickets/${chatId}`, `Files · #${ticket.number} · Hostdesk`],
    [`/account/servers/host/${host}`, 'web-1 · Hostdesk'],
    [`/account/invoices/${items[0]?.id}`, `Invoice ${items[0]?.number} · Hostdesk`],
    ['/account/finances', 'Finances · Hostdesk'],
  ] as const) {
    await page.goto(path)
    await expect(page, path).toHaveTitle(title)
  }
})

// Each page is opened once and checked in all widths: opening it again would take the most time.
const widths = [360, 768, 1280]

test('imprint and privacy are on every page in each width, signed in and out', async ({ page }) => {
  const imprint = page
    .getByRole('link', { name: 'Imprint' })
    .or(page.getByRole('menuitem', { name: 'Imprint' }))
    .filter({ visible: true })
  for (const query of [
    '',
    '?view=signup',
    '?view=forgotten',
    '?view=check-mail',
    '?reset=none',
    '?verify=none',
  ]) {
    await page.goto(`/account/auth${query}`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await expect(imprint, query).toHaveAttribute('href', 'https://example.com/imprint')
      await expect(page.getByRole('link', { name: 'Privacy' }), query).toBeVisible()
    }
  }
  const { token } = await newCustomer(page, 'en', 'legal')
  const calls = new ServerCalls(page, token)
  const host = await calls.adds('brave-otter-42')
  const chatId = (await calls.asks('Files')).id
  for (const path of [
    'servers/list',
    `servers/host/${host}`,
    'tickets',
    'finances',
    'settings/account',
    'settings/security',
    'no/such/page',
    'staff-tickets',
    `tickets/${chatId}`,
  ]) {
    await goWithin(page, `/account/${path}`)
    await expect(headingOf(page)).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      // A chat fills the window, so these links are in the user menu there.
      const isInMenu = path.endsWith(chatId) && width >= 768
      if (isInMenu) await page.getByRole('button', { name: /^User menu/ }).click()
      await expect(imprint, path).toHaveAttribute('href', 'https://example.com/imprint')
      if (isInMenu) await page.keyboard.press('Escape')
    }
  }
})
