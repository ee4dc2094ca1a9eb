import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listHosts } from '#features/hosts/contract.ts'
import { listAccounts, listGrants, type HelpedAccount } from '#features/sharing/contract.ts'
import { pagedQueryFor, queryFor } from '#foundation/web/api/query.ts'

export const useGrants = (side: 'given' | 'received') => useQuery(queryFor(listGrants, { query: { side } }))

/** The accounts that one may act for, the first of them by name. */
export const useAccounts = (q: string) =>
  useQuery({
    ...queryFor(listAccounts, { query: { limit: '50', ...(q === '' ? {} : { q }) } }),
    placeholderData: keepPreviousData,
  })

/** The account that one may act for, or none. */
export const useAccount = (id: string) =>
  useQuery({
    ...queryFor(listAccounts, { query: { id } }),
    select: ({ items }): HelpedAccount | null => items[0] ?? null,
  })

/** One's own hosts by name, or with `all` those of the accounts that one helps, too. */
export function useHostsOf(account?: 'all') {
  const query = account === undefined ? { limit: '100' } : { limit: '100', for: account }
  const pages = useInfiniteQuery(pagedQueryFor(listHosts, { query: { ...query, sort: 'name' } }))
  return { ...pages, hosts: pages.data?.pages.flatMap(({ items }) => items) }
}
