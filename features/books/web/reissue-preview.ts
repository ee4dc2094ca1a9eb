import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewReissue } from '#features/invoices/contract.ts'
import { fieldLengths, plainVatId } from '#features/profile/rules.ts'
import type { ReissueVat } from '#features/invoices/rules.ts'
import { queryFor } from '#foundation/web/api/query.ts'

type Wanted = { vat: ReissueVat; country?: string; vat_id?: string }

/**
 * The sums of a reissue. `data` may still be that of the choice before; `shown` is that of the present one, or undefined while it
 * is worked out. The buyer makes no difference where the VAT stays, and nothing is asked again.
 */
export function useReissuePreview(publicId: string, { vat, country, vat_id }: Wanted) {
  const decided =
    vat === 'decide' && country !== undefined && vat_id !== undefined
      ? { country, vat_id: plainVatId(vat_id).slice(0, fieldLengths.vat_id) }
      : {}
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queryFor(previewReissue, { params: { publicId }, query: { vat, ...decided } }),
    placeholderData: keepPreviousData,
    // Another tab may have refunded it since the dialog was last open.
    staleTime: 0,
  })
  return { data, error, refetch, shown: error || isPlaceholderData ? undefined : data }
}

export type ReissuePreview = ReturnType<typeof useReissuePreview>
