import Ellipsis from 'lucide-react/icons/ellipsis'
import { paths } from '#features/paths.ts'
import { getAnyPdf, type ListedInvoice } from '#features/books/contract.ts'
import { signedTotal } from '#features/books/rules.ts'
import { kindText } from '#features/books/texts.ts'
import { documentText } from '#features/invoices/texts.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link, TextLink } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'

type Props = {
  invoice: ListedInvoice
  /** Undefined if the invoice cannot be issued again, or this member may not do so. */
  onReissue: (() => void) | undefined
}

/** One document: a line of a table if there is room, else a card. It links to the document, and the buyer's name to the customer. */
export function InvoiceRow({ invoice, onReissue }: Props) {
  const { id, number, kind, status, issued_at, buyer, customer_id, vat_kind, country } = invoice
  return (
    <li className={rowClass}>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Link to={paths.anyInvoice(id)} data-row className={linkClass}>
          {number}
        </Link>
        {kind === 'credit_note' ? <Badge>{documentText(invoice)}</Badge> : null}
        {status === 'void' ? <Badge tone="warning">{m.invoices_status_void()}</Badge> : null}
      </div>
      <p className="relative w-fit max-w-full truncate text-sm @max-3xl:row-start-2">
        <TextLink to={paths.customer(customer_id)}>
          <bdi>{buyer || m.books_invoice_customer()}</bdi>
        </TextLink>
      </p>
      <p className="text-sm text-muted @max-3xl:col-start-1 @max-3xl:row-start-3">
        {`${kindText(vat_kind)} · ${country}`}
      </p>
      <time
        dateTime={issued_at}
        title={formatDateTime(issued_at)}
        className="text-sm text-muted @max-3xl:col-start-2 @max-3xl:row-start-3 @max-3xl:text-right"
      >
        {formatDate(issued_at)}
      </time>
      <p className="text-right font-medium whitespace-nowrap tabular-nums @max-3xl:col-start-2 @max-3xl:row-start-1">
        {formatMoney(signedTotal(invoice))}
      </p>
      <div className="relative -mr-2 justify-self-end @max-3xl:col-start-2 @max-3xl:row-start-2">
        <Menu
          label={m.books_invoice_actions({ number })}
          trigger={<Ellipsis size={18} aria-hidden="true" />}
          triggerClass={iconButtonClass}
          align="end"
        >
          {onReissue ? <MenuItem onSelect={onReissue}>{m.books_reissue()}</MenuItem> : null}
          <MenuItem onSelect={() => void fetchPdf(invoice)}>{m.invoices_pdf()}</MenuItem>
        </Menu>
      </div>
    </li>
  )
}

async function fetchPdf({ id, number }: ListedInvoice): Promise<void> {
  const answer = await download(getAnyPdf, { params: { publicId: id } }, `${number}.pdf`)
  const [error] = answer.errors
  if (error) toastError(() => errorText(error), answer)
}

const rowClass =
  'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1 px-4 py-3 transition-colors duration-150 hover:bg-sunken ' +
  '@3xl:grid-cols-[minmax(11rem,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_7rem_7rem_2.25rem] @3xl:px-5'

const linkClass =
  'min-w-0 truncate font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-text'
