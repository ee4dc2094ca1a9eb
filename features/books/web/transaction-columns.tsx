import type { ListedTransaction } from '#features/books/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { paths } from '#features/paths.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'

/** The columns of the list of transactions. A row leads to the customer's money, except from its document. */
export const transactionColumns = (): Column<ListedTransaction, ListOrder>[] => [
  {
    name: 'customer',
    head: m.books_customer(),
    isText: true,
    value: nameOf,
    cell: (row) => <RowLink to={paths.customer(row.customer.id, { tab: 'money' })} text={nameOf(row)} />,
  },
  {
    name: 'description',
    head: m.finance_column_description(),
    isText: true,
    value: (row) => descriptionText(row.description) || movementText(row),
  },
  { name: 'reference', head: m.books_reference(), isSpare: true, value: ({ reference }) => reference },
  {
    name: 'document',
    head: m.finance_csv_document(),
    value: ({ invoice_id }) => invoice_id,
    cell: ({ invoice_id }) =>
      invoice_id === null ? null : (
        <TextLink to={paths.anyInvoice(invoice_id)}>{m.books_transactions_document()}</TextLink>
      ),
  },
  {
    name: 'date',
    head: m.finance_column_date(),
    sort: { descending: '', ascending: 'oldest' },
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Day at={created_at} />,
  },
  {
    name: 'amount',
    head: m.finance_column_amount(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: ({ amount }) => amount,
    cell: ({ amount }) => formatSignedMoney(amount),
  },
]

const nameOf = ({ customer }: ListedTransaction): string =>
  customer.name || m.books_invoice_deleted_customer()
