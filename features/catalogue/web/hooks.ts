import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listApprovals } from '#features/approvals/contract.ts'
import { listCatalogue, listEditions, listVouchers, previewPrice } from '#features/catalogue/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { pagedQueryFor, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const usePlans = () => useQuery(queryFor(listCatalogue))

export const useEditions = () => useQuery(queryFor(listEditions))

export const useVouchers = () => useInfiniteQuery(pagedQueryFor(listVouchers, { query: {} }))

/** The costs of renewals at a price (minor units); nothing is asked where there is none. While another is asked for, the old answer stays. */
export const useRenewals = (slug: string, price_net: bigint | undefined, from: string | undefined) =>
  useQuery({
    ...queryFor(previewPrice, {
      params: { slug },
      query: { price_net: String(price_net ?? 1n), ...(from === undefined ? {} : { from }) },
    }),
    enabled: price_net !== undefined,
    placeholderData: keepPreviousData,
  })

/** A plan or an edition changed; the first plan of an edition may have made it. */
export function refreshPlans(): void {
  for (const route of [listCatalogue, listEditions]) refreshQueries(route)
}

/** A voucher was made, waits, or is void: with it what is left of an allowance. */
export function refreshVouchers(): void {
  for (const route of [listVouchers, listApprovals, getStaffMe]) refreshQueries(route)
}
