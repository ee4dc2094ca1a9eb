import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listHosts } from '#features/hosts/contract.ts'
import { listGrants } from '#features/sharing/contract.ts'
import { pagedQueryFor, queryFor } from '#foundation/web/api/query.ts'

export const useGrants = (side: 'given' | 'received') => useQuery(queryFor(listGrants, { query: { side } }))

/** The hosts of an account, or one's own. */
export function useHostsOf(account: string | undefined) {
  const query = account === undefined ? { limit: '100' } : { limit: '100', for: account }
  const { data, ...pages } = useInfiniteQuery(pagedQueryFor(listHosts, { query: { ...query, sort: 'name' } }))
  return { ...pages, hosts: data?.pages.flatMap(({ items }) => items) }
}
