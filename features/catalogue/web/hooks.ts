import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listApprovals } from '#features/approvals/contract.ts'
import { listCatalogue, listEditions, listVouchers, previewPrice } from '#features/catalogue/contract.ts'
import { listExtras } from '#features/catalogue/extra-contract.ts'
import { listCatalogueProducts } from '#features/catalogue/product-contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { getFinances } from '#features/finance/contract.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const usePlans = () => useQuery(queryFor(listCatalogue))

/** The currency of the installation, read from a plan, or from the balance while there is no plan yet. */
export function useCurrency(): string {
  const plans = usePlans().data?.items
  const finances = useQuery({ ...queryFor(getFinances), enabled: plans?.length === 0 })
  return plans?.[0]?.price_net.currency ?? finances.data?.balance.currency ?? 'EUR'
}

export const useProducts = () => useQuery(queryFor(listCatalogueProducts))

export const useExtras = () => useQuery(queryFor(listExtras))

export const refreshExtras = (): void => refreshQueries(listExtras)

export const useEditions = () => useQuery(queryFor(listEditions))

/** Loads what renewals would cost at a price (minor units), if one is given. While another price loads, the old answer stays. */
export const useRenewals = (slug: string, price_net: bigint | undefined, from: string | undefined) =>
  useQuery({
    ...queryFor(previewPrice, {
      params: { slug },
      query: { price_net: String(price_net ?? 1n), ...(from === undefined ? {} : { from }) },
    }),
    enabled: price_net !== undefined,
    placeholderData: keepPreviousData,
  })

/** Loads plans, editions and products again after a change; a new plan may have made its own edition. */
export function refreshPlans(): void {
  for (const route of [listCatalogue, listEditions, listCatalogueProducts]) refreshQueries(route)
}

/** Loads the vouchers, the approvals and the remaining allowance again, after a voucher was made, proposed or voided. */
export function refreshVouchers(): void {
  for (const route of [listVouchers, listApprovals, getStaffMe]) refreshQueries(route)
}
