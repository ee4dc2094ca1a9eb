import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, linkIn, newAddress, readMail, test } from '#tests/harness/story.ts'
import { signIn } from '#tests/stories/sign-in.ts'

const password = 'correct horse 9 battery'

test('an owner invites somebody without an account, who signs up, confirms the address in another browser, and joins', async ({
  page,
  browser,
}) => {
  const email = newAddress('invited')
  await page.addInitScript(() => localStorage.setItem('locale', 'en'))
  await signIn(page, olivia)
  await page.goto('/account/staff-team/')
  await page.getByRole('button', { name: 'Invite' }).press('Enter')
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await page.keyboard.type(email)
  await page.getByLabel('Support', { exact: true }).press('Space')
  await expectAccessible(page, 'the dialog of an invitation')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(email)

  const context = await browser.newContext({ locale: 'en-GB' })
  const invited = await context.newPage()
  await invited.goto(linkIn(await readMail(page, email, /invite=/), /invite=/))
  await expect(invited.getByRole('heading', { level: 1, name: 'You’ve been invited' })).toBeVisible()
  await expectAccessible(invited, 'the link of an invitation')
  await invited.getByRole('link', { name: 'Create account' }).press('Enter')
  await invited.getByLabel('Email', { exact: true }).fill(email)
  await invited.getByLabel('Password', { exact: true }).fill(password)
  await invited.getByLabel('Repeat password', { exact: true }).fill(password)
  await invited.keyboard.press('Enter')
  await expect(invited.getByRole('heading', { level: 1, name: 'Check your email' })).toBeVisible()

  // The other browser knows nothing of the invitation: the mailed link leads on to it.
  await context.close()
  const other = await browser.newContext({ locale: 'en-GB' })
  const tab = await other.newPage()
  await tab.goto(linkIn(await readMail(page, email, /verify=/), /verify=/))
  await tab.getByRole('button', { name: 'Confirm email address' }).click()
  await tab.getByLabel('Password', { exact: true }).fill(password)
  await tab.keyboard.press('Enter')
  await expect(tab.getByRole('heading', { level: 1, name: 'Join the support team' })).toBeVisible()
  await expectAccessible(tab, 'the page of an invitation')
  await tab.getByRole('button', { name: 'Accept invitation' }).click()
  // Today was marked, and a sign-in leads there from now on (row R-12).
  await expect(tab.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await tab.goto('/account/')
  await expect(tab).toHaveURL('/account/staff-today')
  await expect(tab.getByRole('main').getByRole('link', { name: /^Incoming tickets/ })).toBeVisible()
  await other.close()

  await expect(page.getByRole('list', { name: 'Members' }), 'live').toContainText(email)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Audit')
  await expect(page.getByRole('option', { name: /Audit log/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await page.getByLabel('Action', { exact: true }).selectOption('Invitation to the team accepted')
  const entry = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').filter({ hasText: email })
  // The whole list stays until the filtered list is there.
  await expect(entry).toHaveCount(1)
  await entry.getByRole('button').press('Enter')
  await expect(page.getByRole('dialog')).toContainText('staff.accepted')
  await expectAccessible(page, 'the audit log')
})
