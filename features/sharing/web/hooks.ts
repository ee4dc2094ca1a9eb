import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAccounts, listGrants, type HelpedAccount } from '#features/sharing/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

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
