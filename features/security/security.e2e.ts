import type { Page } from '@playwright/test'
import { must } from '#foundation/must.ts'
import { codeOf, expect, readMail, test } from '#tests/harness/story.ts'
import { addAuthenticator } from '#tests/stories/authenticator.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'

/** Makes an account, signs in to it, and opens the security page. Returns its address and password. */
async function settled(page: Page, who: string) {
  const customer = await newCustomer(page, 'en', who)
  await page.goto('/account/settings/security')
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible()
  return customer
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('A-06 A-09 a passkey is added, opens the account alone, proves it again, and is removed', async ({
  page,
}) => {
  const { email } = await settled(page, 'passkey')
  const browser = await page.context().newCDPSession(page)
  await addAuthenticator(browser)
  await button(page, 'Add passkey').click()
  await page.getByLabel('Name', { exact: true }).fill('Work laptop')
  await button(page, 'Continue').click()
  const row = page.getByRole('button', { name: 'Actions for “Work laptop”' })
  await expect(row).toBeVisible()
  expect((await readMail(page, email, /Work laptop/)).subject).toBe('A passkey was added')

  // The virtual authenticator confirms at once: without this the passkey that the form suggests would sign in before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto('/account/logout')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await button(page, 'Sign in with a passkey').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()

  await page.goto('/account/settings/security')
  await row.click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('You don’t have any passkeys yet.')).toBeVisible()
})

test('A-09 the app is switched on, new codes are made, and it is switched off by a code', async ({
  page,
}) => {
  const { email } = await settled(page, 'totp')
  await button(page, 'Set up').click()
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  await dialog.getByLabel('2. Code from the app').fill(codeOf(secret))
  await button(page, 'Turn on').click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const first = await list.getByRole('listitem').allInnerTexts()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
  expect(file.suggestedFilename()).toMatch(/^recovery-codes-.+\.txt$/)
  await button(page, 'I’ve saved them').click()

  await button(page, 'Generate new codes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(10)
  expect(await list.getByRole('listitem').allInnerTexts()).not.toEqual(first)
  await page.keyboard.press('Escape')

  await button(page, 'Turn off').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Two-factor code').fill(must(first[0]))
  await button(page, 'Confirm').click()
  await expect(page.getByText('Incorrect 2FA code'), 'an old recovery code is void').toBeVisible()
  await page.getByLabel('Two-factor code').fill(codeOf(secret))
  await button(page, 'Confirm').click()
  await expect(button(page, 'Set up')).toBeVisible()
  expect((await readMail(page, email, /no longer asks/)).subject).toBe('Two-factor authentication is off')
})

test('rule 5: a device that is signed out from the device list has to sign in again at its next page', async ({
  page,
  browser,
}) => {
  const customer = await settled(page, 'device')
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone) Version/19.0 Mobile Safari/604.1',
  })
  const phone = await context.newPage()
  await signIn(phone, customer)
  await phone.goto('/account/servers/list')
  await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()

  await page.reload()
  await expect(page.getByText('Safari 19, iPhone', { exact: true })).toBeVisible()
  await button(page, 'Sign out').click()
  await expect(page.getByText('Safari 19, iPhone', { exact: true })).toBeHidden()

  await phone.goto('/account/settings/account')
  await expect(phone.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await context.close()
})
