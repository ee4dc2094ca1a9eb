import type { Page } from '@playwright/test'
import type { Person } from '#app/seed/people.ts'
import { must } from '#foundation/must.ts'

type Login = {
  data: { user: unknown }
  meta: { session_token: string; access_token: { access: string; refresh: string } }
}

/**
 * Signs one of the cast in without the login page: the answer of the real call is put where the page keeps it
 * (row A-01). Stories about signing in go through the page. Answers the access token, for calls besides.
 */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<string> {
  const reply = await page.request.post('/api/allauth/app/v1/auth/login', { data: { email, password } })
  const { data, meta } = (await reply.json()) as Login
  await page.addInitScript(
    ([user, access, refresh, session]) => {
      if (sessionStorage.getItem('story-signed-in')) return
      sessionStorage.setItem('story-signed-in', 'yes')
      // Stories share the cast, and each chooses a language: the account's own is that of whoever chose last.
      if (!localStorage.getItem('locale')) localStorage.setItem('locale', navigator.language.slice(0, 2))
      localStorage.setItem('user', must(user))
      localStorage.setItem('access_token', must(access))
      localStorage.setItem('refresh_token', must(refresh))
      localStorage.setItem('session_token', must(session))
    },
    [JSON.stringify(data.user), meta.access_token.access, meta.access_token.refresh, meta.session_token],
  )
  return meta.access_token.access
}
