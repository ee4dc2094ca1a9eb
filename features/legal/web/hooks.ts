import { useQuery } from '@tanstack/react-query'
import { getTerms, type TermsToAccept } from '#features/legal/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { operator } from '#foundation/web/operator.ts'

/** Returns the terms that the customer still has to accept; undefined if there are none, or while they load. */
export function useTermsToAccept(): (TermsToAccept & { changed: boolean }) | undefined {
  // A page that was loaded before TERMS_VERSION was set learns of the terms from a refused order.
  const { data } = useQuery({ ...queryFor(getTerms), enabled: operator.terms_version !== undefined })
  const { current, accepted } = data ?? {}
  if (!current || accepted?.version === current.version) return undefined
  return { ...current, changed: accepted !== null && accepted !== undefined }
}
