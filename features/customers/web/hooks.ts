import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listApprovals } from '#features/approvals/contract.ts'
import * as contract from '#features/customers/contract.ts'
import { customerTransactions, listTopUps } from '#features/finance/contract.ts'
import { getCustomer, listStaffTickets } from '#features/support/desk/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { useMay, useStaffMe } from '#features/team/web/team.ts'
import { pagedQueryFor, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { queryOf, type CustomerFilter } from './filter.ts'

const list = (filter: CustomerFilter) => pagedQueryFor(contract.listCustomers, { query: queryOf(filter) })
const card = (userId: string) => queryFor(getCustomer, { params: { userId } })

/** The pages of the list that were loaded so far. While another filter is asked for, the old ones stay in sight. */
export function useCustomers(filter: CustomerFilter) {
  const pages = useInfiniteQuery({ ...list(filter), placeholderData: keepPreviousData })
  return { pages, customers: pages.data?.pages.flatMap(({ items }) => items) }
}

export const useCard = (userId: string) => useQuery(card(userId))

export const useAccount = (userId: string) =>
  useQuery(queryFor(contract.getCustomerAccount, { params: { userId } }))

export const useCustomerHosts = (userId: string) =>
  useInfiniteQuery(pagedQueryFor(contract.listCustomerHosts, { params: { userId }, query: {} }))

export const useCustomerInvoices = (userId: string) =>
  useInfiniteQuery(pagedQueryFor(contract.listCustomerInvoices, { params: { userId }, query: {} }))

export const useCustomerActivity = (userId: string) =>
  useInfiniteQuery(pagedQueryFor(contract.listCustomerActivity, { params: { userId }, query: {} }))

export const useCustomerTickets = (userId: string) =>
  useInfiniteQuery(pagedQueryFor(listStaffTickets, { query: { customer: userId } }))

export const useCustomerTransactions = (userId: string) =>
  useInfiniteQuery(pagedQueryFor(customerTransactions, { params: { userId }, query: {} }))

/** The bank transfers that are waited for; with a reference that one, whatever became of it. */
export const useTransfers = (reference: string) =>
  useInfiniteQuery({
    ...pagedQueryFor(listTopUps, {
      query: { provider: 'bank', ...(reference === '' ? { status: 'pending' } : { reference }) },
    }),
    placeholderData: keepPreviousData,
  })

export const useNotes = (userId: string) =>
  useQuery(queryFor(contract.listCustomerNotes, { params: { userId } }))

export const refreshNotes = (): void => refreshQueries(contract.listCustomerNotes)

/** True where the member at the screen holds a permission for actions on an account: those on members of staff are for owners. */
export function useMayActOn({ is_staff }: { is_staff: boolean }, permission: string): boolean {
  const isOwner = useStaffMe(true).data?.roles.includes('owner') ?? false
  return useMay(permission) && (!is_staff || isOwner)
}

/** Something about an account changed: whatever shows it is loaded again. */
export function refreshCustomer(): void {
  for (const route of [
    getCustomer,
    contract.getCustomerAccount,
    contract.listCustomers,
    contract.listCustomerActivity,
  ])
    refreshQueries(route)
}

export const refreshHosts = (): void => refreshQueries(contract.listCustomerHosts)

/** Money moved, or waits: everything that shows the balance, what waits and what is left of an allowance is loaded again. */
export function refreshMoney(): void {
  for (const route of [
    customerTransactions,
    listTopUps,
    getCustomer,
    contract.listCustomers,
    contract.listCustomerInvoices,
    listApprovals,
    getStaffMe,
  ])
    refreshQueries(route)
}

/** Fetches the first page while the pointer is on its way. */
export const prefetchCustomers = (): Promise<unknown> => queryClient.infiniteQuery(list({}))
export const prefetchCustomer = (userId: string): Promise<unknown> => queryClient.query(card(userId))
