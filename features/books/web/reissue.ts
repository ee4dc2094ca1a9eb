import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

export const ReissueDialog = lazyPart(() => import('./reissue-dialog.tsx').then((file) => file.ReissueDialog))

/** True for an invoice that is not void: nothing is left of a void invoice, and a credit note is not issued again. */
export const isReissuable = ({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>): boolean =>
  kind === 'invoice' && status !== 'void'
