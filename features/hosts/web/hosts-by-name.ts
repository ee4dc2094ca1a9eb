import { useInfiniteQuery } from '@tanstack/react-query'
import { listHosts } from '#features/hosts/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'

/** One's own hosts by name, or with `all` those of the accounts that one helps, too; undefined until the first of them are there. */
export function useHostsByName(account?: 'all') {
  const query = account === undefined ? { limit: '100' } : { limit: '100', for: account }
  const pages = useInfiniteQuery(pagedQueryFor(listHosts, { query: { ...query, sort: 'name' } }))
  return { ...pages, hosts: pages.data?.pages.flatMap(({ items }) => items) }
}
