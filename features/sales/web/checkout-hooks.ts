import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getCheckout, listCheckouts } from '#features/sales/checkouts.ts'
import { pagedQueryFor, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

const FOLLOW_ms = 2000

/** Polls a checkout until it is decided. A bank transfer takes days: the live event of the balance announces its arrival. */
export const useCheckout = (id: string) =>
  useQuery({
    ...queryFor(getCheckout, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'open' && data.top_up.provider !== 'bank' ? FOLLOW_ms : false,
  })

export const useOpenCheckouts = () => useInfiniteQuery(pagedQueryFor(listCheckouts, { query: {} }))

export function refreshCheckouts(): void {
  refreshQueries(getCheckout)
  refreshQueries(listCheckouts)
}
