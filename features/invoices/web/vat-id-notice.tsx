import { useQuery } from '@tanstack/react-query'
import { getVatStatus, type VatStatus, getVatPlace } from '#features/invoices/contract.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { formatDate, formatPercent } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import { placeText } from '#features/invoices/texts.ts'

/**
 * Tells why VAT is charged in spite of a VAT id. It is shown above the price of an order, and below the VAT id in the profile (`saved`),
 * which also shows that no VAT is charged.
 */
export function VatIdNotice({ saved }: { saved?: { vat_id: string; country: string } }) {
  const { vat_id, country } = saved ?? {}
  const status = useQuery({
    ...queryFor(getVatStatus),
    // The VAT id and the country are part of the key, because the status depends on them.
    queryKey: [...keyOf(getVatStatus), vat_id, country],
    enabled: vat_id !== '',
    refetchInterval: (query) => query.state.data?.state === 'asking' && POLL_MS,
  }).data
  // A doubted address is asked about above the saved one; beside a price it is said here.
  if (!status || status.state === 'not_needed') return saved ? null : <PlaceNotice />
  const isVerified = status.state === 'verified'
  if (isVerified && !saved) return null
  return <Alert tone={isVerified ? 'success' : 'warning'}>{vatStatusText(status)}</Alert>
}

// The authority mostly answers within seconds.
const POLL_MS = 15_000

function vatStatusText({ state, vat_id, asked_since }: VatStatus): string {
  switch (state) {
    case 'verified':
      return m.invoices_vat_verified({ vat_id })
    case 'asking':
      return asked_since
        ? m.invoices_vat_asking_since({ vat_id, date: formatDate(asked_since) })
        : m.invoices_vat_asking({ vat_id })
    case 'waiting':
      return m.invoices_vat_waiting({ vat_id })
    case 'invalid':
      return m.invoices_vat_invalid({ vat_id })
    case 'other_country':
      return m.invoices_vat_other_country({ vat_id })
    case 'consumer':
      return m.invoices_vat_consumer()
    case 'not_needed':
      return ''
    default:
      return state satisfies never
  }
}

/** Tells above a price that it has a higher VAT than that of the address. */
function PlaceNotice() {
  const status = useQuery(queryFor(getVatPlace)).data
  if (!status || status.state === 'agreed') return null
  const { charged, vat_rate } = status
  return (
    <Alert tone="warning">
      {m.invoices_place_price({ place: placeText(charged), rate: formatPercent(vat_rate) })}
    </Alert>
  )
}
