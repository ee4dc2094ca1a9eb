import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import * as contract from '#features/hosts/contract.ts'
import type { Host } from '#features/hosts/contract.ts'
import * as slots from '#features/hosts/slots.ts'
import { call } from '#foundation/web/api/call.ts'
import { changeLists, keepAnswer, keepInLists } from '#foundation/web/api/keep.ts'
import { keyOf, pagedQueryFor, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { preloadSlots } from '#foundation/web/slots.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { prefetchOpenAlerts } from './alert-hooks.ts'
import type { HostFilter } from './filter.ts'

const list = (query: HostFilter) => pagedQueryFor(contract.listHosts, { query })
const one = (hostId: string) => queryFor(contract.getHost, { params: { hostId } })

/** The pages of the list that are loaded so far. The old pages stay in sight while the pages of another filter are loaded. */
export const useHosts = (filter: HostFilter) =>
  useInfiniteQuery({ ...list(filter), placeholderData: keepPreviousData })

/** One host; if the list is loaded already, its entry is shown until the answer arrives. */
export const useHost = (hostId: string) =>
  useQuery({ ...one(hostId), placeholderData: () => listedHosts().find(({ id }) => id === hostId) })

/** Prefetches the data of a page while the pointer is still on its way to the link. A failed query is repeated by the page. */
export const prefetchHosts = (): Promise<unknown> =>
  Promise.all([preloadSlots(slots.hostOrder), queryClient.infiniteQuery(list({})), prefetchOpenAlerts()])
export const prefetchHost = (hostId: string): Promise<unknown> =>
  Promise.all([
    preloadSlots(slots.hostLicence, slots.hostTickets, slots.hostHistory),
    queryClient.query(one(hostId)),
  ])

/** Puts the host from an answer into the cache: on its page, and in every list that contains it. */
export function putHost(answered: Answered, host: Host): void {
  keepAnswer(answered, one(host.id).queryKey, host)
  keepInLists<Pages>(answered, contract.listHosts, (data) => ({
    ...data,
    pages: data.pages.map((page) => withHost(page, host)),
  }))
}

/** Reloads all lists, after a host was added or removed. */
const refreshLists = (): void => refreshQueries(contract.listHosts)

/** Removes a deleted host from all lists. Its page is not loaded again: the answer could only be a 404. */
export function forgetHost(hostId: string): void {
  changeLists<Pages>(contract.listHosts, (data) => ({
    ...data,
    pages: data.pages.map((page) => without(page, hostId)),
  }))
  refreshLists()
}

/** Reloads a visible host, and updates it wherever it is shown. */
export async function reloadHost(hostId: string): Promise<void> {
  const { queryKey } = one(hostId)
  const shown = queryClient.getQueryData(queryKey) !== undefined
  if (!shown && !listedHosts().some(({ id }) => id === hostId)) return refreshLists()
  const answer = await call(contract.getHost, { params: { hostId } })
  if (answer.status === 200) return putHost(answer, answer.body)
  if (answer.status !== 404) void queryClient.invalidateQueries({ queryKey })
  return refreshLists()
}

type Change = Parameters<typeof call<typeof contract.updateHost>>[1]['body']

/** Changes the named fields; the values the server saved are shown everywhere. */
export async function saveHost(hostId: string, body: Change) {
  const answer = await call(contract.updateHost, { params: { hostId }, body })
  if (answer.status === 200) putHost(answer, answer.body)
  // A 409 with another code carries no host.
  if (answer.status === 409 && answer.errors[0]?.code === 'changed') putHost(answer, answer.body.present)
  return answer
}

/** Shows that a change was not saved, if the reason is neither a field nor a conflicting edit. */
export function toastUpdateFailed(answer: { errors: readonly DisplayedError[] }): void {
  if (answer.errors.every(({ param, code }) => param === undefined && code !== 'changed'))
    toastError(() => m.hosts_update_failed(), answer)
}

type Pages = InfiniteData<{ items: Host[]; next_cursor: string | null }>
type PageOfHosts = Pages['pages'][number]

const listedHosts = (): Host[] =>
  queryClient
    .getQueriesData<Pages>({ queryKey: keyOf(contract.listHosts) })
    .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? [])

const withHost = (page: PageOfHosts, host: Host): PageOfHosts => ({
  ...page,
  items: page.items.map((item) => (item.id === host.id ? host : item)),
})

const without = (page: PageOfHosts, hostId: string): PageOfHosts => ({
  ...page,
  items: page.items.filter(({ id }) => id !== hostId),
})
