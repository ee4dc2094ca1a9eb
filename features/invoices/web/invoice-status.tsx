import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { StatusDot } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** Paid, void or open, in a word beside the dot; of a credit note, that its amount is back on the balance. */
export function InvoiceStatus({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>) {
  if (kind === 'credit_note') return <StatusDot tone="accent">{m.invoices_status_given_back()}</StatusDot>
  if (status === 'void') return <StatusDot tone="neutral">{m.invoices_status_void()}</StatusDot>
  if (status === 'issued') return <StatusDot tone="warning">{m.invoices_status_issued()}</StatusDot>
  return <StatusDot tone="success">{m.invoices_status_paid()}</StatusDot>
}

/** What such a document is called. */
export const kindText = (kind: InvoiceSummary['kind']): string =>
  kind === 'credit_note' ? m.invoices_credit_note() : m.invoices_invoice()
