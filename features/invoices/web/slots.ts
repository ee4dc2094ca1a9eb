import { financesInvoices } from '#features/finance/contract.ts'
import { fill } from '#foundation/web/slots.tsx'

export const invoicesList = fill(financesInvoices, () =>
  import('./invoices-list.tsx').then((file) => file.InvoicesList),
)
