import { useInfiniteQuery } from '@tanstack/react-query'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { listPayouts } from '#features/payouts/contract.ts'
import { listPayoutFiles, listStaffPayouts } from '#features/payouts/staff-contract.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const usePayouts = () =>
  useInfiniteQuery({ ...pagedQueryFor(listPayouts, { query: {} }), enabled: !actedFor() })

/** Loads the payouts again, after one began or ended. */
export const refreshPayouts = (): void => refreshQueries(listPayouts)

/** Loads all that shows the balance and its payouts again, after the customer asked for one. */
export function refreshAfterRequest(): void {
  for (const route of [getFinances, listTransactions, listPayouts]) refreshQueries(route)
}

/** Loads the lists of staff again. */
export function refreshStaffPayouts(): void {
  for (const route of [listStaffPayouts, listPayoutFiles]) refreshQueries(route)
}
