import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { getHost, listHosts, type Host } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { getTerms } from '#features/legal/contract.ts'
import { getDocument, listPlans } from '#features/licences/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, pagedQueryFor, queryFor, refreshQueries, textQueryFor } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'

/** Loads the plans that can be ordered; for a host also the retired plan that it still has. Another language loads them again. */
export function usePlans(hostId?: string) {
  const locale = useLocale()
  const plans = queryFor(listPlans, { query: hostId === undefined ? {} : { host: hostId } })
  return useQuery({ ...plans, queryKey: [...plans.queryKey, locale] })
}

/** The balance, loaded again whenever an order is shown: it decides whether the order can be paid. */
export const useBalance = () => useQuery({ ...queryFor(getFinances), staleTime: 0 }).data?.balance

/** Loads the paid periods of a host, the newest first. Another language loads them again. */
export function useHistory(hostId: string) {
  const locale = useLocale()
  const pages = pagedQueryFor(listPaidPeriods, { params: { hostId }, query: {} })
  return useInfiniteQuery({ ...pages, queryKey: [...pages.queryKey, locale] })
}

/** The signed licence as it is now: signed on each request, and never stored. */
export const useDocument = (hostId: string) =>
  useQuery({ ...textQueryFor(getDocument, { params: { hostId } }), staleTime: 0, gcTime: 0 })

/** An order succeeded: shows the host's new state, and reloads what the order changed elsewhere. */
export function applyOrder(answered: Answered, host: Host): void {
  keepAnswer(answered, keyOf(getHost, { params: { hostId: host.id } }), host)
  refreshOrders()
}

/** Loads again what an order changed besides the server, which its answer shows. */
function refreshOrders(): void {
  for (const route of [listHosts, listPaidPeriods, getFinances, listTransactions, listInvoices, getTerms]) {
    refreshQueries(route)
  }
}

/** Loads again what orders of many servers changed. */
export function refreshManyOrders(): void {
  refreshQueries(getHost)
  refreshOrders()
}
