import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listApprovals } from '#features/approvals/contract.ts'
import * as contract from '#features/customers/contract.ts'
import { listStaffHosts } from '#features/customers/host-contract.ts'
import { customerTransactions, listTopUps } from '#features/finance/contract.ts'
import { getCustomer, listStaffTickets } from '#features/support/desk/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { useMay, useStaffMe } from '#features/team/web/team.ts'
import { pagedQueryFor, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { CustomerFilter } from './filter.ts'

const list = (query: CustomerFilter) => pagedQueryFor(contract.listCustomers, { query })
const card = (userId: string) => queryFor(getCustomer, { params: { userId } })

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

export const useNotes = (userId: string) =>
  useQuery(queryFor(contract.listCustomerNotes, { params: { userId } }))

export const refreshNotes = (): void => refreshQueries(contract.listCustomerNotes)

/** True if the signed-in member of staff has the permission to act on this account; only owners may act on accounts of staff. */
export function useMayActOn({ is_staff }: { is_staff: boolean }, permission: string): boolean {
  const isOwner = useStaffMe(true).data?.roles.includes('owner') ?? false
  return useMay(permission) && (!is_staff || isOwner)
}

/** Reloads all queries that show an account, after a change of it. */
export function refreshCustomer(): void {
  for (const route of [
    getCustomer,
    contract.getCustomerAccount,
    contract.listCustomers,
    contract.listCustomerActivity,
  ])
    refreshQueries(route)
}

export function refreshHosts(): void {
  for (const route of [contract.listCustomerHosts, listStaffHosts]) refreshQueries(route)
}

/** Reloads all queries that show a balance, waiting money or the rest of an allowance, after money moved or was asked for. */
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

/** Fetches the first page of the list while the pointer is on its way to the link. */
export const prefetchCustomers = (): Promise<unknown> => queryClient.infiniteQuery(list({}))
export const prefetchCustomer = (userId: string): Promise<unknown> => queryClient.query(card(userId))
