import { useInfiniteQuery } from '@tanstack/react-query'
import { listHosts } from '#features/hosts/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'

/** The user's own hosts by name; with `all` also the hosts of helped accounts. */
export function useHostsByName(account?: 'all') {
  const query = account === undefined ? { limit: '100' } : { limit: '100', for: account }
  return useInfiniteQuery(pagedQueryFor(listHosts, { query: { ...query, sort: 'name' } }))
}
