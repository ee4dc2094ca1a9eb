import type { Page } from '@playwright/test'
import { codeOf } from '#tests/harness/story.ts'
import { callApi } from './call-api.ts'

type Caller = Pick<Page, 'request'>

/** Returns the id of the account of an access token. */
export async function idOf(page: Caller, token: string): Promise<string> {
  return (await callApi<{ id: string }>(page, 'GET', '/api/users/detail/', { token })).id
}

/** Switches the authenticator app on for the account of an access token. Returns the app's secret. */
export async function switchOnTotp(page: Caller, token: string): Promise<string> {
  const path = '/api/allauth/app/v1/account/authenticators/totp'
  const begun = await callApi<{ meta: { secret: string } }>(page, 'GET', path, { token, status: 404 })
  const { secret } = begun.meta
  await callApi(page, 'POST', path, { token, data: { code: codeOf(secret) }, status: 200 })
  return secret
}

/** The owner who is signed in on a page gives an account roles of staff, or takes all from it by none. */
export async function giveRoles(owner: Page, id: string, roles: readonly string[]): Promise<void> {
  const token = (await owner.evaluate(() => localStorage.getItem('access_token'))) ?? ''
  const data = { roles, reason: 'In this story' }
  await callApi(owner, 'PUT', `/api/staff/members/${id}/roles/`, { token, data, status: 200 })
}
