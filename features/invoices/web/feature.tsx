import { financesInvoices, financesStatement } from '#features/finance/slots.ts'
import { paths } from '#features/paths.ts'
import { placeQuestion, vatIdNotice } from '#features/profile/slots.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.invoice.pattern,
    page: () => import('./invoice-page.tsx').then((file) => file.InvoicePage),
    title: m.invoices_invoice,
    prefetch: ({ publicId = '' }) => import('./hooks.ts').then((file) => file.prefetchInvoice(publicId)),
  },
]

/** The slots that this feature fills: the list of invoices, the notice about the VAT id, the question about the place. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesInvoices, () => import('./invoices-list.tsx').then((file) => file.InvoicesList)),
  provideSlot(financesStatement, () => import('./statement.tsx').then((file) => file.Statement)),
  provideSlot(placeQuestion, () => import('./place-question.tsx').then((file) => file.PlaceQuestion)),
  provideSlot(vatIdNotice, () => import('./vat-id-notice.tsx').then((file) => file.VatIdNotice)),
]

export const live = () => import('./live.ts').then((file) => file.live)
