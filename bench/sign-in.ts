import type { Page } from '@playwright/test'
import type { Person } from '#app/seed/people.ts'
import { login } from '#features/auth/contract.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'

/** Signs in by a call and puts the tokens into the storage of the page, so that pages open signed in. */
export async function signInByCall(
  page: Page,
  url: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const client = new Client(url)
  const reply = await client.call(login, { body: { email, password } })
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}`)
  const stored = {
    user: JSON.stringify(reply.body.data.user),
    access_token: must(client.access_token),
    refresh_token: must(client.refresh_token),
    session_token: must(client.session_token),
  }
  await page.goto(`${url}/account/auth`)
  await page.evaluate(
    (values) => Object.entries(values).forEach(([name, value]) => localStorage.setItem(name, value)),
    stored,
  )
  // A page that stays open would pass its files on to the next page, from memory.
  await page.goto('about:blank')
}
