import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { listBankLines } from '#features/banking/contract.ts'
import type { LineState } from '#features/banking/rules.ts'
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

/** Reloads payments, transfers and transactions, after payments were imported, booked or put aside. */
export function refreshLines(): void {
  for (const route of [listBankLines, listTopUps, customerTransactions]) refreshQueries(route)
}
