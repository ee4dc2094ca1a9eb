import type { Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { expect, newAddress, readMail } from '#tests/harness/story.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'

const AUTH = '/api/allauth/app/v1/auth'
const password = 'correct horse 9 battery'

/** Makes an account by calls, since the forms have stories of their own, and does not sign it in. Returns its address and password. */
export async function newAccount(page: Page, locale: Locale, called = 'customer') {
  const email = newAddress(`${called}-${locale}`)
  const headers = { 'Accept-Language': locale }
  await callApi(page, 'POST', `${AUTH}/signup`, { headers, data: { email, password }, status: 401 })
  const mail = await readMail(page, email, /verify=/)
  const key = /verify=([^&\s]+)/.exec(mail.text)?.[1] ?? ''
  const data = { key: decodeURIComponent(key) }
  await callApi(page, 'POST', `${AUTH}/email/verify`, { data, status: 401 })
  await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
  return { email, password }
}

/** Makes an account and signs it in on the page. Returns its address and password, and an access token for calls of the story. */
export async function newCustomer(
  page: Page,
  locale: Locale,
  called?: string,
): Promise<{ email: string; password: string; token: string }> {
  const { email, password } = await newAccount(page, locale, called)
  const token = await signIn(page, { email, password })
  expect(token).not.toBe('')
  return { email, password, token }
}
