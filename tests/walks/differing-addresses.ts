import type { Page } from '@playwright/test'
import { anna } from '#app/seed/people.ts'
import { thingsOf } from '#tests/stories/seen-pages.ts'

type Thing = {
  id: string
  email?: string
  status?: string
  connected?: boolean
  licence?: { status: string }
}
type Lists = Readonly<Record<string, string>>

/** Returns a function that gives the addresses of a page for one thing of each state, and for the customer with the longest history. */
export async function differingAddresses(page: Pick<Page, 'request'>, token: string, lists: Lists) {
  const ids = new Map([['accountId', ['all']]])
  for (const [name, path] of Object.entries(lists)) {
    const ofState = new Map<string, string>()
    for (const { id, email, status, connected, licence } of await thingsOf<Thing>(page, token, path)) {
      const state =
        email === undefined ? [status, connected, licence?.status].join() : `${email === anna.email}`
      if (!ofState.has(state)) ofState.set(state, id)
    }
    ids.set(name, [...ofState.values()])
  }
  return (pattern: string): string[] => {
    const name = /\$(\w+)/u.exec(pattern)?.[1]
    if (name === undefined) return [`/account${pattern}`]
    return (ids.get(name) ?? []).map((id) => `/account${pattern.replace(`$${name}`, id)}`)
  }
}
