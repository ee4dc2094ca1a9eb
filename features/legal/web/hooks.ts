import { useQuery } from '@tanstack/react-query'
import { getTerms, type TermsToAccept } from '#features/legal/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { operator } from '#foundation/web/operator.ts'

/** The terms that the customer still has to accept; undefined where there are none, or nobody knows yet. */
export function useTermsToAccept(): (TermsToAccept & { changed: boolean }) | undefined {
  // A page that is older than the setting learns of the terms by a refused order.
  const { data } = useQuery({ ...queryFor(getTerms), enabled: operator.terms_version !== undefined })
  const { current, accepted } = data ?? {}
  if (!current || accepted?.version === current.version) return undefined
  return { ...current, changed: accepted !== null && accepted !== undefined }
}
