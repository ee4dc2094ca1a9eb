import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { olivia } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { signIn } from '#tests/stories/sign-in.ts'

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
  await page.getByLabel('All servers and licences, including future ones').uncheck()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Choose at least one server or licence, or all.')).toBeVisible()
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
  const switcher = theirs.getByRole('combobox', { name: 'Search by name' })
  // If a busy machine was too slow between the two keys, they are pressed again.
  await expect(async () => {
    await theirs.keyboard.press('g')
    await theirs.keyboard.press('a')
    await expect(switcher).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await switcher.fill(owner.email)
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

test('O-11 an owner makes tokens, whose secrets are shown once and work as the page says; the owner ends one, and staff another', async ({
  page,
  browser,
}) => {
  const { token } = await newCustomer(page, 'en', 'token-owner')
  await new ServerCalls(page, token).adds('by-token')
  await page.goto('/account/settings/api')
  const made = async (name: string) => {
    await page.getByRole('button', { name: 'New token' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create token' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Copy' })).toHaveCount(2)
    const line = (await dialog.getByText(/^curl /).textContent()) ?? ''
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have saved it' }).press('Enter')
    await expect(page.getByText(/hdp_\w{46}/)).toHaveCount(0)
    return async () => (await promisify(execFile)('sh', ['-c', `${line} -s -w '%{http_code}'`])).stdout
  }
  const guide = page.getByRole('link', { name: 'Guide for programs' })
  await expect(guide).toHaveAttribute('href', '/api/docs/')
  const tokens = page.getByRole('list', { name: 'Tokens' })
  const [ended, stopped] = [await made('Deploy script'), await made('Backup')]
  for (const answer of [await ended(), await stopped()]) expect(answer).toMatch(/"by-token".*200$/)
  await page.reload()
  await expect(tokens.getByRole('listitem').filter({ hasText: 'Deploy script' })).toContainText(
    /used .* from/,
  )
  await tokens
    .getByRole('listitem')
    .filter({ hasText: 'Deploy script' })
    .getByRole('button', { name: 'End' })
    .press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).press('Enter')
  await expect(tokens.getByRole('listitem')).toHaveCount(1)
  expect(await ended()).toMatch(/401$/)
  expect(await stopped()).toMatch(/200$/)

  const id = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('user') ?? '{}') as { id: string }).id,
  )
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const staff = await context.newPage()
  await staff.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(staff, olivia)
  await staff.goto(`/account/staff-customers/${id}?tab=security`)
  const theirs = staff.getByRole('list', { name: 'Tokens' })
  await expect(theirs.getByRole('listitem')).toContainText('Backup')
  await theirs.getByRole('button', { name: 'End' }).press('Enter')
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('It floods us')
  await dialog.getByRole('button', { name: 'End' }).press('Enter')
  await expect(staff.getByText('No program acts for this account.')).toBeVisible()
  expect(await stopped()).toMatch(/401$/)
  await context.close()
})
