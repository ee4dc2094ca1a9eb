import { financesInvoices } from '#features/finance/slots.ts'
import { vatIdNotice } from '#features/profile/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slots that this feature fills: the list of invoices, and the notice about the VAT id. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesInvoices, () => import('./invoices-list.tsx').then((file) => file.InvoicesList)),
  provideSlot(vatIdNotice, () => import('./vat-id-notice.tsx').then((file) => file.VatIdNotice)),
]
