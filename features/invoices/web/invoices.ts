import { lazyPart } from '#foundation/web/lazy-page.tsx'

export { InvoiceStatus, invoiceStatusText } from './invoice-status.tsx'
/** The statement of a month, for the pages of staff. */
export const Statement = lazyPart(() => import('./statement.tsx').then((file) => file.Statement))
