import type { Page } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { passMinutesFor } from '#tests/stories/story-database.ts'

const bandOf = (page: Page) => page.getByRole('region', { name: 'Needs attention' })
const cardOf = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Alerts', exact: true }) })

test('H-04 a silent server and a full disk stand above the list and in the charts; by keys the owner chooses when, and a helper who reads sees it', async ({
  page,
  browser,
}) => {
  const owner = await newCustomer(page, 'en', 'alerts-owner')
  const calls = new ServerCalls(page, owner.token)
  const [silent, full] = [await calls.adds('quiet-one'), await calls.adds('full-one')]
  const agents = { silent: await calls.connects(silent), full: await calls.connects(full) }
  await calls.checksIn(agents.silent)
  await calls.checksIn(agents.full, 95)

  // The list is open, and shows what begins without being loaded again.
  await page.goto('/account/servers/list')
  await expect(page.getByRole('link', { name: 'full-one' })).toBeVisible()
  await expect(bandOf(page)).toHaveCount(0)
  await passMinutesFor(silent, 6)
  const inBand = bandOf(page).getByRole('listitem')
  await expect(inBand).toHaveText([/quiet-one\s*Not connected/])
  await passMinutesFor(full, 11)
  await calls.checksIn(agents.full, 97)
  await expect(inBand).toHaveText([/full-one\s*Disk 97% full/, /quiet-one/])

  // The page of a server says what its charts tint, and its card what happened.
  await bandOf(page).getByRole('link', { name: 'full-one' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'full-one' })).toBeVisible()
  await expect(page.getByText('The tinted spans are alerts.')).toBeVisible()
  await expect(cardOf(page)).toContainText('Disk 97% full')
  await expect(cardOf(page)).toContainText('90%, as for all servers')

  // The rules of this server are changed by keys alone, and the focus comes back.
  const change = cardOf(page).getByRole('button', { name: 'Change alerts' })
  await change.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Alerts for full-one' })
  await dialog.getByLabel('No check-in for').press('1')
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('A disk is full to')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Alerts saved')).toBeVisible()
  await expect(cardOf(page)).toContainText('10 minutes')
  await expect(cardOf(page)).toContainText('99%')
  await expect(change).toBeFocused()
  // The next check-in is below the new limit, and ends the alert on the open page.
  await calls.checksIn(agents.full, 97)
  await expect(cardOf(page).getByRole('listitem').getByText('now')).toHaveCount(0)
  // The minutes that passed may have made it silent for a moment, too.
  await expect(cardOf(page).getByRole('listitem').filter({ hasText: 'Disk 97% full' })).toHaveCount(1)

  // A helper who reads sees the same on a phone, and has nothing to change it with.
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const theirs = await context.newPage()
  const reader = await newCustomer(theirs, 'en', 'alerts-reader')
  await callApi(page, 'POST', '/api/sharing/grants/', {
    token: owner.token,
    data: { email: reader.email, role: 'read', all_hosts: true },
    status: 201,
  })
  await theirs.goto('/account/settings/people')
  await theirs.getByRole('button', { name: 'Accept' }).press('Enter')
  const helped = theirs.getByRole('list', { name: 'Accounts you help' })
  await helped.getByRole('button', { name: 'Servers' }).press('Enter')
  await expect(bandOf(theirs).getByRole('listitem')).toHaveText([/quiet-one\s*Not connected/])
  await bandOf(theirs).getByRole('link', { name: 'quiet-one' }).press('Enter')
  await expect(cardOf(theirs)).toContainText('Not connected')
  await expect(theirs.getByRole('button', { name: 'Change alerts' })).toHaveCount(0)
  const [scrollWidth, clientWidth] = await theirs.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  const path = `/api/hosts/${silent}/alerts/`
  await callApi(theirs, 'PATCH', path, { token: reader.token, data: { offline_minutes: 0 }, status: 403 })
  await theirs.goto('/account/servers/list')
  await expect(bandOf(theirs)).toBeVisible()

  // The owner switches the rule off, and the band goes from the page that the reader has open.
  await callApi(page, 'PATCH', path, { token: owner.token, data: { offline_minutes: 0 }, status: 200 })
  await expect(bandOf(theirs)).toHaveCount(0)
  await expect(theirs.getByRole('link', { name: 'quiet-one' })).toBeVisible()
  await context.close()
})
