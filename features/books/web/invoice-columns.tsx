import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import { getAnyPdf, type ListedInvoice } from '#features/books/contract.ts'
import { signedTotal } from '#features/books/rules.ts'
import { kindText } from '#features/books/texts.ts'
import { documentText } from '#features/invoices/texts.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { InvoiceStatus, invoiceStatusText } from '#features/invoices/web/invoices.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'
import { isReissuable } from './reissue.ts'

/** The columns of the list of documents; `onReissue` is undefined for a member who may not issue an invoice again. */
export const invoiceColumns = (
  onReissue: ((invoice: ListedInvoice) => void) | undefined,
): Column<ListedInvoice, ListOrder>[] => [
  {
    name: 'number',
    head: m.books_number(),
    value: ({ number }) => number,
    cell: (invoice) => (
      <>
        <RowLink to={paths.anyInvoice(invoice.id)} text={invoice.number} />
        {invoice.kind === 'credit_note' ? <Badge>{documentText(invoice)}</Badge> : null}
        {invoice.status === 'void' ? <InvoiceStatus kind={invoice.kind} status="void" /> : null}
      </>
    ),
  },
  {
    name: 'customer',
    head: m.books_customer(),
    isText: true,
    value: ({ buyer }) => buyer,
    cell: ({ buyer, customer_id }) => (
      <TextLink to={paths.customer(customer_id)}>
        <bdi>{buyer || m.books_invoice_customer()}</bdi>
      </TextLink>
    ),
  },
  {
    name: 'vat',
    head: m.books_kind(),
    isText: true,
    isSpare: true,
    value: ({ vat_kind }) => kindText(vat_kind),
  },
  { name: 'country', head: m.books_country(), isSpare: true, isNamed: true, value: ({ country }) => country },
  {
    name: 'date',
    head: m.finance_column_date(),
    sort: { descending: '', ascending: 'oldest' },
    value: ({ issued_on }) => issued_on,
    cell: ({ issued_on, issued_at }) => <Day at={issued_at} on={issued_on} />,
  },
  {
    name: 'total',
    head: m.books_sum(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: signedTotal,
  },
  { name: 'state', head: m.invoices_status(), isFileOnly: true, value: stateText },
  {
    name: 'acts',
    head: m.ui_table_acts(),
    cell: (invoice) => (
      <Menu
        label={m.books_invoice_actions({ number: invoice.number })}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        triggerClass={iconButtonClass}
        align="end"
      >
        {onReissue && isReissuable(invoice) ? (
          <MenuItem onSelect={() => onReissue(invoice)}>{m.books_reissue()}</MenuItem>
        ) : null}
        <MenuItem onSelect={() => void fetchPdf(invoice)}>{m.invoices_pdf()}</MenuItem>
      </Menu>
    ),
  },
]

/** The words of the badges beside the number. */
const stateText = (invoice: ListedInvoice): string =>
  [
    ...(invoice.kind === 'credit_note' ? [documentText(invoice)] : []),
    ...(invoice.status === 'void' ? [invoiceStatusText(invoice)] : []),
  ].join(', ')

async function fetchPdf({ id, number }: ListedInvoice): Promise<void> {
  const answer = await download(getAnyPdf, { params: { publicId: id } }, `${number}.pdf`)
  const [error] = answer.errors
  if (error) toastError(() => errorText(error), answer)
}
