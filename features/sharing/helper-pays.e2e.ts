import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('O-03, O-07, O-08, O-10 a helper renews within the limit and asks the support; the owner sees it happen and who it was', async ({
  page,
  browser,
}) => {
  const owner = await newCustomer(page, 'en', 'paid-by-owner')
  const calls = new ServerCalls(page, owner.token)
  await calls.paysIn('20000')
  const id = await calls.orders('shop-one', 'starter-month')
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const theirs = await context.newPage()
  const invited = await newCustomer(theirs, 'en', 'paying-helper')

  await page.goto('/account/settings/people')
  await page.getByRole('button', { name: 'Invite' }).press('Enter')
  await page.getByLabel('Email address').fill(invited.email)
  await page.getByLabel('Role').selectOption('full')
  await page.getByLabel('Monthly limit in EUR').fill('10')
  await page.getByLabel('Their helpers can act for you too').check()
  await page.getByRole('button', { name: 'Send invitation' }).press('Enter')
  await expect(page.getByText(`Invitation sent to ${invited.email}`)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your helpers' })).toContainText(
    'This person and their helpers',
  )

  // The helper works by keyboard, on a phone.
  await theirs.goto('/account/settings/people')
  await theirs.getByRole('button', { name: 'Accept' }).press('Enter')
  await theirs
    .getByRole('list', { name: 'Accounts you help' })
    .getByRole('button', { name: 'Servers' })
    .press('Enter')
  const band = theirs.getByRole('region', { name: 'You are working for' })
  await expect(band).toContainText('Full helper')
  await theirs.getByRole('link', { name: 'shop-one' }).press('Enter')

  const everybody = page.getByRole('list', { name: 'Everyone who can act for you' })
  await expect(everybody).toContainText(invited.email)

  // The owner has the page of the server open while the helper renews.
  await page.goto(`/account/servers/host/${id}`)
  const before = await calls.daysLeft(id)
  const renew = async () => {
    await theirs.getByRole('button', { name: 'Renew', exact: true }).press('Enter')
    await theirs
      .getByRole('dialog')
      .getByRole('button', { name: /^Renew for/ })
      .press('Enter')
  }
  await renew()
  await expect(theirs.getByRole('dialog')).toHaveCount(0)
  expect(await calls.daysLeft(id)).toBeGreaterThan(before + 27)
  await renew()
  await expect(theirs.getByText('This would exceed the monthly limit', { exact: false })).toBeVisible()
  await theirs.keyboard.press('Escape')

  // The helper opens a ticket in the owner's name: the owner's list shows it without being loaded again.
  await page.goto('/account/tickets')
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
  await theirs.getByRole('contentinfo').getByRole('link', { name: 'Support' }).press('Enter')
  await expect(band).toBeVisible()
  await theirs.getByRole('button', { name: 'New ticket' }).first().press('Enter')
  await theirs.getByLabel('Subject').fill('The invoice of shop-one')
  await theirs.getByLabel('Topic').selectOption('finances')
  await theirs.getByLabel('Message').fill('Please send it to the owner.')
  await theirs.getByRole('button', { name: 'Create ticket' }).press('Enter')
  await expect(theirs.getByText('Please send it to the owner.')).toBeVisible()
  await page.getByRole('link', { name: 'The invoice of shop-one' }).press('Enter')
  await expect(page.getByText(invited.email)).toBeVisible()
  const answer = page.getByRole('textbox', { name: 'Write a message' })
  await answer.fill('I have it already.')
  await answer.press('Enter')
  await expect(theirs.getByText('I have it already.')).toBeVisible()
  const [scrollWidth, clientWidth] = await theirs.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)

  // The activity on the page of people names the helper, to the owner and to the helper.
  await page.goto('/account/settings/people')
  const activity = page.getByRole('list', { name: 'Activity' })
  const spent = activity.getByRole('listitem').filter({ hasText: 'Helper spent from the balance' })
  await expect(spent).toContainText(invited.email)
  await expect(spent).toContainText('shop-one')
  await expect(activity.getByText('Ticket opened by a helper')).toBeVisible()
  await theirs.goto('/account/settings/people')
  await theirs.getByLabel('Account', { exact: true }).selectOption({ label: owner.email })
  await expect(theirs.getByRole('list', { name: 'Activity' })).toContainText('Helper spent from the balance')

  // A helper who has the page of a server open is led away once the access is removed.
  await theirs.goto('/account/servers/shared/all')
  await theirs.getByRole('link', { name: 'shop-one' }).press('Enter')
  await expect(band).toBeVisible()
  await page.getByRole('button', { name: 'Remove access' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).press('Enter')
  await expect(theirs).toHaveURL(/settings\/people/)
  await theirs.goto('/account/servers/shared/all')
  await expect(theirs.getByText('Nobody shares servers or licences with you')).toBeVisible()
  await context.close()
})
