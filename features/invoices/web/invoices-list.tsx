import { List } from '#foundation/web/ui/list.tsx'
import { paths } from '#features/paths.ts'
import FileText from 'lucide-react/icons/file-text'
import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { documentText } from '#features/invoices/texts.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Link } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { useInvoices } from './hooks.ts'
import { InvoiceStatus } from './invoice-status.tsx'

/** All invoices and credit notes, newest first. The list fills a slot on the finances page. */
export function InvoicesList() {
  const pages = useInvoices()
  const billing = useLazyDialog(BillingDialog)
  return (
    <>
      {actedFor() ? null : (
        <div className="flex justify-end">
          <Button size="small" {...billing.opener}>
            {m.invoices_billing()}
          </Button>
        </div>
      )}
      <LoadedList
        query={pages}
        failed={m.invoices_list_failed()}
        none={
          <EmptyState icon={<FileText size={20} aria-hidden="true" />} title={m.invoices_none_title()}>
            {m.invoices_none_text()}
          </EmptyState>
        }
      >
        {(items) => (
          <List label={m.invoices_list()}>
            {items.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </List>
        )}
      </LoadedList>
      {billing.open ? <BillingDialog {...billing.dialog} /> : null}
    </>
  )
}

const BillingDialog = lazyPart(() => import('./billing-dialog.tsx').then((file) => file.BillingDialog))

function Row({ invoice }: { invoice: InvoiceSummary }) {
  const { id, number, kind, status, issued_on, total, is_merged } = invoice
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 text-sm transition-colors duration-150 first:rounded-t-lg last:rounded-b-lg hover:bg-hover sm:px-5 md:grid-cols-[1fr_10rem_8rem_8rem]">
      <div className="min-w-0">
        <Link to={paths.invoice(id)} className={openerClass}>
          {number}
        </Link>
        <span className="block text-muted">{documentText(invoice)}</span>
        {is_merged ? <span className="block text-muted">{m.invoices_merged()}</span> : null}
      </div>
      <span className="max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end">
        <InvoiceStatus kind={kind} status={status} />
      </span>
      <time dateTime={issued_on} className="text-muted max-md:col-start-1 max-md:row-start-2">
        {formatDay(issued_on)}
      </time>
      <span className="text-right font-medium whitespace-nowrap max-md:col-start-2 max-md:row-start-1">
        {formatMoney(total)}
      </span>
    </li>
  )
}

const openerClass =
  'block min-h-6 w-full rounded-sm leading-6 font-medium after:absolute after:inset-0 after:rounded-lg ' +
  'focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 ' +
  'focus-visible:after:outline-accent-text'
