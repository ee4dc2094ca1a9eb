import { useQuery } from '@tanstack/react-query'
import { getFinances } from '#features/finance/contract.ts'
import { getAgreement, listAgreements } from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useAgreements = (side: Side) => useQuery(queryFor(listAgreements, { query: { side } }))

/** The agreements about one server of the signed-in person. */
export const useAgreementsOf = (host_id: string) =>
  useQuery({
    ...queryFor(listAgreements, { query: { side: 'owner', host_id } }),
    // Agreements belong to their two sides, and are not shown to others who view the account.
    enabled: !isViewing(),
  })

/** The agreement with its servers and their next charges. */
export const useAgreement = (agreementId: string) =>
  useQuery(queryFor(getAgreement, { params: { agreementId } }))

export const useCurrency = (): string => useQuery(queryFor(getFinances)).data?.balance.currency ?? 'EUR'

/** Loads the agreements again after an action of the signed-in person. */
export function refreshAgreements(): void {
  refreshQueries(listAgreements)
  refreshQueries(getAgreement)
}
