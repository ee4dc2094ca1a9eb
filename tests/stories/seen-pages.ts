import type { Page } from '@playwright/test'
import { anna, mikhail, olivia } from '#app/seed/people.ts'
import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import { callApi } from './call-api.ts'

const LEADS_ON = ['home', 'signOut', 'settings', 'servers', 'support', 'supportTicket']

const patterns = Object.entries(paths)
  .filter(([name]) => !LEADS_ON.includes(name))
  .map(([, { pattern }]) => pattern)
const isOfStaff = (pattern: string) => pattern.startsWith('/staff-')

/** The pages that each person sees, and the lists with the things of their addresses. */
export const seenPages = [
  {
    person: anna,
    pages: patterns.filter((pattern) => !isOfStaff(pattern) && pattern !== paths.allowCharge.pattern),
    lists: {
      hostId: '/api/hosts/',
      chatId: '/api/tickets/',
      publicId: '/api/invoices/',
      webhookId: '/api/webhooks/',
    },
  },
  {
    // The balance of this person fills itself.
    person: mikhail,
    pages: [paths.finances.pattern, paths.allowCharge.pattern],
    lists: { runId: '/api/finances/auto-top-up/runs/' },
  },
  {
    person: olivia,
    pages: [paths.hosts.pattern, ...patterns.filter(isOfStaff)],
    lists: {
      chatId: '/api/staff/tickets/',
      articleId: '/api/staff/help/',
      userId: '/api/staff/customers/',
      publicId: '/api/staff/invoices/',
      webhookId: '/api/staff/webhooks/',
    },
  },
]

type Lists = Readonly<Record<string, string>>

/** Returns the things of a list as the person with the token sees them. The help centre lists its articles beside its sections. */
export async function thingsOf<Thing = { id: string }>(
  page: Pick<Page, 'request'>,
  token: string,
  path: string,
): Promise<Thing[]> {
  type Things = { items?: Thing[]; articles?: Thing[] }
  const { items, articles } = await callApi<Things>(page, 'GET', path, { token })
  return must(items ?? articles, path)
}

/** Returns a function that puts the first thing of each list, as the person with the token sees them, into the address of a page. */
export async function addressesFor(page: Pick<Page, 'request'>, token: string, lists: Lists) {
  const ids = new Map([['accountId', 'all']])
  for (const [name, path] of Object.entries(lists))
    ids.set(name, must((await thingsOf(page, token, path))[0], path).id)
  return (pattern: string) =>
    `/account${pattern.replace(/\$(\w+)/u, (_, name: string) => must(ids.get(name), name))}`
}
