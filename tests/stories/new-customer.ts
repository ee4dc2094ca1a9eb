import type { Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { expect, newAddress, readMail } from '#tests/harness/story.ts'
import { signIn } from './sign-in.ts'

const AUTH = '/api/allauth/app/v1/auth'
const password = 'correct horse 9 battery'

/**
 * Signs in somebody who has just come, in one language, by calls: what the forms do is another story. Answers their
 * address, and the access token for calls besides.
 */
export async function newCustomer(
  page: Page,
  locale: Locale,
  called = 'customer',
): Promise<{ email: string; token: string }> {
  const email = newAddress(`${called}-${locale}`)
  const headers = { 'Accept-Language': locale }
  await page.request.post(`${AUTH}/signup`, { headers, data: { email, password } })
  const mail = await readMail(page, email, /verify=/)
  const key = /verify=([^&\s]+)/.exec(mail.text)?.[1] ?? ''
  await page.request.post(`${AUTH}/email/verify`, { data: { key: decodeURIComponent(key) } })
  await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
  const token = await signIn(page, { email, password })
  expect(token).not.toBe('')
  return { email, token }
}
