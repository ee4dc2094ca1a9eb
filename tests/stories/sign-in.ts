import type { Page } from '@playwright/test'
import type { Person } from '#app/seed/people.ts'
import { callApi } from './call-api.ts'

type Login = {
  data: { user: unknown }
  meta: { session_token: string; access_token: { access: string; refresh: string } }
}

/**
 * Signs a demo person in without the login page: puts the answer of the sign-in call into the storage of the page (row A-01).
 * Stories about signing in go through the page. Returns the access token, for calls of the story.
 */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<string> {
  const { data, meta } = await logIn(page, { email, password })
  // Code that runs in the page knows nothing of this file but its arguments.
  await page.addInitScript(
    (stored) => {
      if (sessionStorage.getItem('story-signed-in')) return
      sessionStorage.setItem('story-signed-in', 'yes')
      // Stories share the demo people, and some choose a language, which the account keeps: the page of this story must not get that one.
      if (!localStorage.getItem('locale')) localStorage.setItem('locale', navigator.language.slice(0, 2))
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value)
    },
    {
      user: JSON.stringify(data.user),
      access_token: meta.access_token.access,
      refresh_token: meta.access_token.refresh,
      session_token: meta.session_token,
    },
  )
  return meta.access_token.access
}

/** Logs in by the call alone: the page stays signed out. */
export const logIn = (page: Page, data: { email: string; password: string }): Promise<Login> =>
  callApi(page, 'POST', '/api/allauth/app/v1/auth/login', { data, status: 200 })
