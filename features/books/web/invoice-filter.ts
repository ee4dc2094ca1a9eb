import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { paths } from '#features/paths.ts'
import { anyText, oneOf, useUrlFilter, type ChangeOf, type FilterOf } from '#foundation/web/url-filter.ts'

const shape = {
  q: anyText,
  kind: oneOf(invoiceKinds),
  from: anyText,
  to: anyText,
  country: anyText,
  vat_kind: oneOf(vatKinds),
  // The newest first is the default, and stands in no address.
  sort: oneOf(['oldest']),
}

export type InvoiceFilter = FilterOf<typeof shape>
export type InvoiceChange = ChangeOf<typeof shape>

export const useInvoiceFilter = () => useUrlFilter(shape, paths.allInvoices)
