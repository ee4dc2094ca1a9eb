import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { callApi } from './call-api.ts'
import { newAccount, newCustomer } from './new-customer.ts'
import { logIn } from './sign-in.ts'
import type { Page } from '@playwright/test'

const en = { locale: 'en' } as const

// Ticket drafts were kept, and the text of every other form was gone with the session (kept-forms.test.tsx has each kind of field).
test('V-01, R-07 what was typed when another device ended the session stands there for the same person alone; a link leads on', async ({
  page,
}) => {
  const other = await newAccount(page, 'en', 'next')
  const typist = await newCustomer(page, 'en', 'typist')
  const city = page.getByLabel(m.profile_city({}, en))
  const name = page.getByLabel(m.hosts_name({}, en), { exact: true })
  await page.goto('/account/settings/account')
  await city.fill('Hamburg')
  await endSessionOf(page, typist)
  // The link of a mail leads through the sign-in to its page.
  await page.goto('/account/tickets?tab=closed')
  await enters(page, other)
  await expect(page).toHaveURL(/\/account\/tickets\?tab=closed$/)
  await page.goto('/account/settings/account')
  await expect(city).toHaveValue('')
  expect(await page.evaluate(() => sessionStorage.getItem('typed'))).toBeNull()

  await page.goto('/account/logout')
  await enters(page, typist)
  await page.goto('/account/servers/list?act=order')
  await name.fill('harbour-1')
  await endSessionOf(page, typist)
  await enters(page, typist)
  await page
    .getByRole('button', { name: m.licences_order_host({}, en) })
    .first()
    .click()
  await expect(name).toHaveValue('harbour-1')
})

type Account = { email: string; password: string }

async function enters(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel(m.auth_email({}, en)).fill(email)
  await page.getByLabel(m.auth_password({}, en), { exact: true }).fill(password)
  await page.getByRole('button', { name: m.auth_sign_in({}, en), exact: true }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

/** Ends all sessions but its own, as somebody does on another device; the page hears of it at its next call. */
async function endSessionOf(page: Page, account: Account): Promise<void> {
  const { meta } = await logIn(page, account)
  const sessions = '/api/allauth/app/v1/auth/sessions'
  const token = meta.access_token.access
  type Devices = { data: { id: number; is_current: boolean }[] }
  const { data } = await callApi<Devices>(page, 'GET', sessions, { token })
  const others = data.filter(({ is_current }) => !is_current).map(({ id }) => id)
  await callApi(page, 'DELETE', sessions, { token, data: { sessions: others } })
  await expect(page).toHaveURL(/\/account\/auth/)
}
