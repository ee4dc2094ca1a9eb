import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** The status of an invoice in a word: paid, void or open. A credit note is shown as refunded. */
export function InvoiceStatus({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>) {
  if (kind === 'credit_note') return <Badge tone="accent">{m.invoices_status_given_back()}</Badge>
  if (status === 'void') return <Badge tone="neutral">{m.invoices_status_void()}</Badge>
  if (status === 'issued') return <Badge tone="warning">{m.invoices_status_issued()}</Badge>
  return <Badge tone="success">{m.invoices_status_paid()}</Badge>
}
