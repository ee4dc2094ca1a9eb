import type { ListedTransaction } from '#features/books/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { paths } from '#features/paths.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link, TextLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'

/** One movement: a table line if the page is wide enough, else a card. A click on it, except on its document, leads to the customer's money. */
export function TransactionRow({ transaction }: { transaction: ListedTransaction }) {
  const { amount, created_at, description, reference, invoice_id, customer } = transaction
  return (
    <li className={rowClass}>
      <Link to={paths.customer(customer.id, { tab: 'money' })} data-row className={linkClass}>
        <bdi>{customer.name || m.books_invoice_deleted_customer()}</bdi>
      </Link>
      <p className="min-w-0 text-sm text-muted [overflow-wrap:anywhere] @max-3xl:col-span-full">
        <bdi>{descriptionText(description) || movementText(transaction)}</bdi>
        {reference === null ? null : <span>{` · ${reference}`}</span>}
      </p>
      <p className="relative w-fit text-sm @max-3xl:order-last">
        {invoice_id === null ? null : (
          <TextLink to={paths.anyInvoice(invoice_id)}>{m.books_transactions_document()}</TextLink>
        )}
      </p>
      <time dateTime={created_at} className="text-sm whitespace-nowrap text-muted @max-3xl:col-start-1">
        {formatDateTime(created_at)}
      </time>
      <p className="text-right font-medium whitespace-nowrap tabular-nums @max-3xl:col-start-2 @max-3xl:row-start-1">
        {formatMoney(amount)}
      </p>
    </li>
  )
}

const rowClass =
  'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1 px-4 py-3 transition-colors duration-150 hover:bg-sunken ' +
  '@3xl:grid-cols-[minmax(9rem,1fr)_minmax(0,1.6fr)_5rem_11rem_7rem] @3xl:px-5'

const linkClass =
  'min-w-0 truncate font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-text'
