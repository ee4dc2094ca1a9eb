import { financesInvoices } from '#features/finance/slots.ts'
import { provideSlot } from '#foundation/web/slots.tsx'

export const invoicesList = provideSlot(financesInvoices, () =>
  import('./invoices-list.tsx').then((file) => file.InvoicesList),
)
