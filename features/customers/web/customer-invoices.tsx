import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { documentText } from '#features/invoices/texts.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useCustomerInvoices } from './hooks.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

/** The invoices and credit notes of a customer, the newest first. */
export function CustomerInvoices({ card }: { card: CustomerCard }) {
  const pages = useCustomerInvoices(card.id)
  return (
    <LoadedList query={pages} failed={m.customers_invoices_failed()} none={m.customers_no_invoices()}>
      {(invoices) => (
        <List label={m.customers_tab_invoices()}>
          {invoices.map((invoice) => (
            <Line key={invoice.id} invoice={invoice} />
          ))}
        </List>
      )}
    </LoadedList>
  )
}

const Line = ({ invoice }: { invoice: InvoiceSummary }) => (
  <ListRow
    title={invoice.number}
    badge={invoice.kind === 'credit_note' ? <Badge>{documentText(invoice)}</Badge> : null}
    detail={formatDay(invoice.issued_on)}
    actions={<span className="font-medium">{formatMoney(invoice.total)}</span>}
  />
)
