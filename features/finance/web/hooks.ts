import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/finance/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { queryClient, queryFor, pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'

/** The reply of `GET /api/finances/`. */
export type Finances = NonNullable<ReturnType<typeof useFinances>['data']>

/** The filter of the list of transactions, as the API takes it. */
export type TransactionFilter = InputOf<typeof contract.downloadTransactions>['query']

const finances = queryFor(contract.getFinances)

export const useFinances = () => useQuery(finances)

/** The transactions page by page. While another filter loads, the last list stays. */
export const useTransactions = (query: TransactionFilter) =>
  useInfiniteQuery({
    ...pagedQueryFor(contract.listTransactions, { query }),
    placeholderData: keepPreviousData,
  })

/**
 * Polls a top-up until it is decided. A bank transfer takes days and is not polled: the live event of the balance
 * announces its arrival.
 */
export const useTopUp = (id: string) =>
  useQuery({
    ...queryFor(contract.getTopUp, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'pending' && data.provider !== 'bank' ? FOLLOW_ms : false,
  })

/** Loads the announced bank transfers that have not arrived yet. */
export const useWaitingTransfers = () =>
  useInfiniteQuery(pagedQueryFor(contract.listWaitingTransfers, { query: {} }))

/** Loads every query that shows the balance again, after the balance changed. */
export function refreshFinances(): void {
  const routes = [
    contract.getFinances,
    contract.listTransactions,
    contract.getTopUp,
    contract.listWaitingTransfers,
  ]
  for (const route of routes) refreshQueries(route)
}

/** Prefetches the first data of the page while the pointer is still on its way to the link. */
export const prefetchFinances = (): Promise<unknown> =>
  Promise.all([
    queryClient.query(finances),
    queryClient.infiniteQuery(pagedQueryFor(contract.listTransactions, { query: {} })),
  ])

const FOLLOW_ms = 2000
