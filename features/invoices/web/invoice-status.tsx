import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** The status of an invoice in a word: paid, void or open. A credit note is shown as refunded. */
export function InvoiceStatus({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>) {
  const shown = kind === 'credit_note' ? 'given_back' : status
  return <Badge tone={TONES[shown]}>{invoiceStatusText({ kind, status })}</Badge>
}

/** The word of the badge. */
export const invoiceStatusText = ({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>): string =>
  TEXTS[kind === 'credit_note' ? 'given_back' : status]()

const TONES = { given_back: 'accent', void: 'neutral', issued: 'warning', paid: 'success' } as const
const TEXTS = {
  given_back: m.invoices_status_given_back,
  void: m.invoices_status_void,
  issued: m.invoices_status_issued,
  paid: m.invoices_status_paid,
} as const
