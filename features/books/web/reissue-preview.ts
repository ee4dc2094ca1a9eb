import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewReissue } from '#features/invoices/contract.ts'
import { fieldLengths } from '#features/profile/contract.ts'
import { plainVatId } from '#features/profile/rules.ts'
import type { ReissueVat } from '#features/invoices/rules.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** A buyer in so far as the VAT depends on it. */
export type Place = { country: string; zip: string; city: string; vat_id: string }
type Wanted = { vat: ReissueVat; typed: Place | undefined }

/**
 * Returns the sums of a reissue. `data` may still belong to the previous choice; `shown` belongs to the present choice, or is undefined
 * until the answer arrives. If the VAT is kept, the buyer makes no difference, and a change of the buyer sends no request.
 */
export function useReissuePreview(publicId: string, { vat, typed }: Wanted) {
  const decided =
    vat === 'decide' && typed !== undefined
      ? { ...typed, vat_id: plainVatId(typed.vat_id).slice(0, fieldLengths.vat_id) }
      : {}
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queryFor(previewReissue, { params: { publicId }, query: { vat, ...decided } }),
    placeholderData: keepPreviousData,
    // Another tab may have refunded the invoice since the dialog was last open.
    staleTime: 0,
  })
  return {
    data: error ? undefined : data,
    error,
    refetch,
    shown: error || isPlaceholderData ? undefined : data,
  }
}

export type ReissuePreview = ReturnType<typeof useReissuePreview>
