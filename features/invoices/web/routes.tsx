import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.invoice.pattern,
    page: () => import('./invoice-page.tsx').then((file) => file.InvoicePage),
    title: m.invoices_invoice,
    prefetch: ({ publicId = '' }) => import('./hooks.ts').then((file) => file.prefetchInvoice(publicId)),
  },
]
