import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { listBankLines, listBankOddParts } from '#features/banking/contract.ts'
import type { LineState, OddState } from '#features/banking/rules.ts'
import { customerTransactions, listTopUps } from '#features/finance/contract.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'

export function useBankLines(state: LineState) {
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listBankLines, { query: { state } }),
    placeholderData: keepPreviousData,
  })
  return {
    pages,
    lines: pages.data?.pages.flatMap(({ items }) => items),
    open: pages.data?.pages[0]?.open,
  }
}

export function useOddParts(state: OddState) {
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listBankOddParts, { query: { state } }),
    placeholderData: keepPreviousData,
  })
  const [first] = pages.data?.pages ?? []
  return {
    pages,
    parts: pages.data?.pages.flatMap(({ items }) => items),
    count: first ? first.open + first.done : 0,
  }
}

/** Reloads payments, transfers and transactions, after payments were imported, booked or put aside. */
export function refreshLines(): void {
  for (const route of [listBankLines, listBankOddParts, listTopUps, customerTransactions])
    refreshQueries(route)
}
