import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

export const ReissueDialog = lazyPart(() => import('./reissue-dialog.tsx').then((file) => file.ReissueDialog))

/** A credit note is no invoice, and of a void invoice nothing is left. */
export const isReissuable = ({ kind, status }: Pick<InvoiceSummary, 'kind' | 'status'>): boolean =>
  kind === 'invoice' && status !== 'void'
