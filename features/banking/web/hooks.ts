import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { listBankLines, listBankOddParts } from '#features/banking/contract.ts'
import type { OddState } from '#features/banking/rules.ts'
import { customerTransactions, listTopUps } from '#features/finance/contract.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useOddParts = (state: OddState) =>
  useInfiniteQuery({
    ...pagedQueryFor(listBankOddParts, { query: { state } }),
    placeholderData: keepPreviousData,
  })

/** Reloads payments, transfers and transactions, after payments were imported, booked or put aside. */
export function refreshLines(): void {
  for (const route of [listBankLines, listBankOddParts, listTopUps, customerTransactions])
    refreshQueries(route)
}
