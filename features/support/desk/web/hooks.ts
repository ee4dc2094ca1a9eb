import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Absence } from '#features/support/desk/absence-contract.ts'
import * as contract from '#features/support/desk/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, pagedQueryFor, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import { queryOf, type DeskFilter } from './filter.ts'

const list = (filter: DeskFilter) => pagedQueryFor(contract.listStaffTickets, { query: queryOf(filter) })

/** Returns the loaded pages of the list of tickets. While the list of another filter loads, the old pages stay in sight. */
export const useDesk = (filter: DeskFilter) =>
  useInfiniteQuery({ ...list(filter), placeholderData: keepPreviousData })

export const useCounts = () => useQuery(queryFor(contract.countStaffTickets))

export const useTags = () => useQuery(queryFor(contract.listTags))

export const useColleagues = () => useQuery(queryFor(contract.listColleagues))

/**
 * The colleagues to whom a ticket can be handed over: neither its assignee nor its customer. The list is loaded again where it is opened: one
 * may have joined or gone away just now.
 */
export const useOthers = ({ assignee, customer }: Ticket) =>
  useQuery({ ...queryFor(contract.listColleagues), staleTime: 0 }).data?.items.filter(
    ({ id }) => id !== assignee?.id && id !== customer?.id,
  ) ?? NOBODY

const NOBODY: readonly { id: string; name: string; away: Absence | null }[] = []

export const useCustomer = (userId: string) =>
  useQuery(queryFor(contract.getCustomer, { params: { userId } }))

/** Fetches the list and the counts ahead, while the pointer is on its way to the link of the desk. */
export const prefetchDesk = (): Promise<unknown> =>
  Promise.all([
    queryClient.query(queryFor(contract.countStaffTickets)),
    queryClient.infiniteQuery(list({ tab: 'incoming' })),
  ])

/** Shows the result of an action on a ticket, on its page and in the lists. */
export function putTicket(answered: Answered, ticket: Ticket): void {
  keepAnswer(answered, keyOf(tickets.getTicket, { params: { chatId: ticket.id } }), ticket)
  refreshDesk()
}

/** Loads a ticket again because it differs from the one that the page shows. */
export function refreshTicket(chatId: string): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(tickets.getTicket, { params: { chatId } }) })
  refreshDesk()
}

function refreshDesk(): void {
  refreshQueries(contract.listStaffTickets)
  refreshQueries(contract.countStaffTickets)
}
