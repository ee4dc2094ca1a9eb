import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/auto-top-ups/contract.ts'
import { listMethods } from '#features/methods/contract.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { pagedQueryFor, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useAutoTopUp = () => useQuery({ ...queryFor(contract.getAutoTopUp), enabled: !actedFor() })

export const useMethods = () => useQuery({ ...queryFor(listMethods), enabled: !actedFor() })

export const useRuns = () => useInfiniteQuery(pagedQueryFor(contract.listAutoTopUpRuns, { query: {} }))

export const useRun = (runId: string) => useQuery(queryFor(contract.getAutoTopUpRun, { params: { runId } }))

/** Loads all about the automatic top-up again. */
export function refreshAutoTopUp(): void {
  for (const route of [contract.getAutoTopUp, contract.listAutoTopUpRuns, contract.getAutoTopUpRun])
    refreshQueries(route)
}
