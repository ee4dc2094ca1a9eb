import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAccounts, listGrants, type HelpedAccount } from '#features/sharing/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

export const useGrants = (side: 'given' | 'received') => useQuery(queryFor(listGrants, { query: { side } }))

/** The first 50 accounts, by name, that the person may act for; `q` searches names and addresses. */
export const useAccounts = (q: string) =>
  useQuery({
    ...queryFor(listAccounts, { query: { limit: '50', ...(q === '' ? {} : { q }) } }),
    placeholderData: keepPreviousData,
  })

/** The account with this id; null if the person may not act for it. */
export const useAccount = (id: string) =>
  useQuery({
    ...queryFor(listAccounts, { query: { id } }),
    select: ({ items }): HelpedAccount | null => items[0] ?? null,
  })
