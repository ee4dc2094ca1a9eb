import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('O-01, O-02 an owner invites, the helper accepts and renames a server, is revoked and sees nothing', async ({
  page,
  browser,
}) => {
  const owner = await newCustomer(page, 'en', 'sharing-owner')
  const id = await new ServerCalls(page, owner.token).adds('shared-one')
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const theirs = await context.newPage()
  const invited = await newCustomer(theirs, 'en', 'sharing-helper')

  await page.goto('/account/settings/people')
  await page.getByRole('button', { name: 'Invite' }).press('Enter')
  await page.getByLabel('Email address').fill(invited.email)
  await page.getByLabel('All servers, including future ones').uncheck()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Choose at least one server, or all.')).toBeVisible()
  await page.getByLabel('shared-one').check()
  await page.getByRole('button', { name: 'Send invitation' }).press('Enter')
  await expect(page.getByText(`Invitation sent to ${invited.email}`)).toBeVisible()

  await theirs.goto('/account/settings/people')
  await theirs.getByRole('button', { name: 'Accept' }).press('Enter')
  const given = theirs.getByRole('list', { name: 'Accounts you help' })
  await given.getByRole('button', { name: 'Servers' }).press('Enter')
  const band = theirs.getByRole('region', { name: 'You are working for' })
  await expect(band).toContainText('Technical helper')
  await expect(theirs.locator('header [data-acting]')).toHaveCount(1)
  await expect(theirs.getByRole('contentinfo').getByRole('link')).toHaveText([
    'Servers',
    'Support',
    'Profile',
  ])
  await theirs.getByRole('link', { name: 'shared-one' }).press('Enter')
  await expect(band).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Delete server' })).toHaveCount(0)
  await theirs.getByRole('button', { name: 'Rename' }).press('Enter')
  await theirs.getByRole('textbox', { name: 'Name' }).fill('renamed-by-helper')
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByRole('heading', { level: 1, name: 'renamed-by-helper' })).toBeVisible()
  const [scrollWidth, clientWidth] = await theirs.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)

  // The helper goes back to their own account, which has no servers, and by the switcher to the owner's account again.
  await band.getByRole('button', { name: 'Back to my account' }).press('Enter')
  await expect(theirs.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  await expect(band).toHaveCount(0)
  await expect(theirs.getByText('renamed-by-helper')).toHaveCount(0)
  await theirs.keyboard.press('g')
  await theirs.keyboard.press('a')
  await theirs.getByRole('combobox', { name: 'Search by name' }).fill(owner.email)
  await expect(theirs.getByRole('option')).toHaveCount(1)
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByRole('link', { name: 'renamed-by-helper' })).toBeVisible()
  await expect(band).toBeVisible()
  // The settings are always those of the helper's own account.
  await theirs.goto('/account/settings/people')
  await expect(theirs.getByRole('list', { name: 'Accounts you help' })).toBeVisible()
  await expect(band).toHaveCount(0)

  // The owner's page shows the removal without being loaded again, and the helper's open page leaves the owner's account.
  await theirs.goto(`/account/servers/host/${id}`)
  await expect(band).toBeVisible()
  await page.getByRole('button', { name: 'Remove access' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).press('Enter')
  await expect(page.getByText('Nobody helps you yet.', { exact: false })).toBeVisible()
  await expect(theirs).toHaveURL(/settings\/people/)
  await theirs.goto(`/account/servers/host/${id}`)
  await expect(theirs.getByText('renamed-by-helper')).toHaveCount(0)
  await theirs.goto('/account/settings/people')
  await expect(theirs.getByText('Nobody has invited you.')).toBeVisible()
  await context.close()
})
