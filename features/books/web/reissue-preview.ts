import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewReissue } from '#features/invoices/contract.ts'
import { fieldLengths, plainVatId } from '#features/profile/rules.ts'
import type { ReissueVat } from '#features/invoices/rules.ts'
import { queryFor } from '#foundation/web/api/query.ts'

type Wanted = { vat: ReissueVat; country?: string; vat_id?: string }

/**
 * Returns the sums of a reissue. `data` may still belong to the previous choice; `shown` belongs to the present choice, or is undefined
 * until the answer arrives. If the VAT is kept, the buyer makes no difference, and a change of the buyer sends no request.
 */
export function useReissuePreview(publicId: string, { vat, country, vat_id }: Wanted) {
  const decided =
    vat === 'decide' && country !== undefined && vat_id !== undefined
      ? { country, vat_id: plainVatId(vat_id).slice(0, fieldLengths.vat_id) }
      : {}
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queryFor(previewReissue, { params: { publicId }, query: { vat, ...decided } }),
    placeholderData: keepPreviousData,
    // Another tab may have refunded the invoice since the dialog was last open.
    staleTime: 0,
  })
  return { data, error, refetch, shown: error || isPlaceholderData ? undefined : data }
}

export type ReissuePreview = ReturnType<typeof useReissuePreview>
