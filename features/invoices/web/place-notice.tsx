import { useQuery } from '@tanstack/react-query'
import { getVatPlace } from '#features/invoices/contract.ts'
import { placeText } from '#features/invoices/texts.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatPercent } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** Tells above a price that it has a higher VAT than that of the address. */
export function PlaceNotice() {
  const status = useQuery(queryFor(getVatPlace)).data
  if (!status || status.state === 'agreed') return null
  const { charged, vat_rate } = status
  return (
    <Alert tone="warning">
      {m.invoices_place_price({ place: placeText(charged), rate: formatPercent(vat_rate) })}
    </Alert>
  )
}
