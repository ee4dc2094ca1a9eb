import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { codeOf, expect, linkIn, readMail, test } from '#tests/harness/story.ts'
import { switchOnTotp } from '#tests/stories/account-calls.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newAccount, newCustomer } from '#tests/stories/new-customer.ts'
import { logIn, signIn } from '#tests/stories/sign-in.ts'

const AUTH = '/api/allauth/app/v1'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('A-03 the second step survives a reload, and back leads to the form with the address', async ({
  page,
}) => {
  const { email, password } = await newAccount(page, 'en', 'step')
  const { meta } = await logIn(page, { email, password })
  const secret = await switchOnTotp(page, meta.access_token.access)
  await page.goto('/account/auth')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await press(page, 'Sign in')
  await expect(heading(page, 'Two-factor authentication')).toBeVisible()
  await expect(field(page, 'Code')).toBeFocused()
  await page.goBack()
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Password')).toBeFocused()
  await page.goForward()
  await page.reload()
  await field(page, 'Code').fill(codeOf(secret))
  await field(page, 'Code').press('Enter')
  await expect(heading(page, 'Servers')).toBeVisible()
  await page.goBack()
  await expect(page, 'R-07: nothing of AuthPage is left in the history').not.toHaveURL(/\/auth/)
})

test('G-01 nothing typed is lost by an error or a language switch', async ({ page }) => {
  await page.goto('/account/auth?view=signup')
  await field(page, 'Email').fill('somebody@example.com')
  await field(page, 'Password').fill('1234567')
  await field(page, 'Repeat password').fill('12345678')
  await press(page, 'Create account')
  await expect(page.getByText('The two passwords don’t match')).toBeVisible()
  await expectAccessible(page, 'a form with errors')
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('menuitemradio', { name: 'Русский' }).click()
  await expect(page.getByText('Пароли не совпадают')).toBeVisible()
  const values = await page
    .locator('main input')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  expect(values).toEqual(['somebody@example.com', '1234567', '12345678'])
})

test('A-05 R-07 a link that sets a password waits until somebody who is signed in has signed out', async ({
  page,
}) => {
  const { email, password } = await newAccount(page, 'en', 'reset')
  await signIn(page, { email, password })
  await callApi(page, 'POST', `${AUTH}/auth/password/request`, { data: { email } })
  await page.goto('/account/servers/')
  await expect(heading(page, 'Servers')).toBeVisible()
  const link = linkIn(await readMail(page, email, /reset=/), /reset=/)
  await page.goto(link)
  await expect(page.getByText('sign out first, then open the link again')).toBeVisible()
  await page.goto('/account/logout')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await page.goto(link)
  await field(page, 'New password').fill('staple & 4 candles')
  await field(page, 'Repeat password').fill('staple & 4 candles')
  await press(page, 'Set password')
  await expect(
    page.getByText('Password changed. Please sign in with your new password.').first(),
  ).toBeVisible()
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('rule 43: after a day away, in two tabs, with a reply that was lost, one is still signed in', async ({
  page,
  context,
}) => {
  await newCustomer(page, 'en', 'away')
  await page.goto('/account/servers/list')
  await expect(heading(page, 'Servers')).toBeVisible()
  const other = await context.newPage()
  // The server receives and answers the first refresh; the answer never arrives.
  let lost = 0
  await context.route('**/tokens/refresh', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  // After a day the access token has expired. It is stored after the route is in place, since a call in the background refreshes at once.
  await page.evaluate(() => {
    const claims = btoa(JSON.stringify({ exp: Date.now() / 1000 - 86_400 }))
    localStorage.setItem('access_token', `x.${claims}.x`)
  })
  await page.goto('/account/settings/security')
  await expect.poll(() => lost).toBe(1)
  await Promise.all([page.goto('/account/servers/list'), other.goto('/account/settings/account')])
  await expect(heading(page, 'Servers')).toBeVisible()
  await expect(heading(other, 'Account')).toBeVisible()
  await expect(page.getByText('Session expired')).toHaveCount(0)
})
