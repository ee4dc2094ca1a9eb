import { financesInvoices } from '#features/finance/slots.ts'
import { placeQuestion, vatIdNotice } from '#features/profile/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slots that this feature fills: the list of invoices, the notice about the VAT id, the question about the place. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesInvoices, () => import('./invoices-list.tsx').then((file) => file.InvoicesList)),
  provideSlot(placeQuestion, () => import('./place-question.tsx').then((file) => file.PlaceQuestion)),
  provideSlot(vatIdNotice, () => import('./vat-id-notice.tsx').then((file) => file.VatIdNotice)),
]
