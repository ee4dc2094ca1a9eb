import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { paths } from '#features/paths.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { anyText, oneOf, useUrlFilter, type ChangeOf, type FilterOf } from '#foundation/web/url-filter.ts'

const shape = {
  q: anyText,
  kind: oneOf(invoiceKinds),
  from: anyText,
  to: anyText,
  country: anyText,
  vat_kind: oneOf(vatKinds),
  sort: oneOf(chosenOrders),
}

export type InvoiceFilter = FilterOf<typeof shape>
export type InvoiceChange = ChangeOf<typeof shape>

export const useInvoiceFilter = () => useUrlFilter(shape, paths.allInvoices)
