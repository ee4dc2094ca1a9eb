import { paths } from '#features/paths.ts'
import type { InvoiceWithChain } from '#features/books/contract.ts'
import { signedTotal } from '#features/books/rules.ts'
import { typeText } from '#features/finance/texts.ts'
import { documentText } from '#features/invoices/texts.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'

type Chained = InvoiceWithChain['chain'][number]

/** A document of a sale, with the money that moved with it. */
export function ChainRow({ document, isThis }: { document: Chained; isThis: boolean }) {
  const { id, number, kind, issued_on, total, transaction } = document
  return (
    <ListRow
      title={isThis ? number : <TextLink to={paths.anyInvoice(id)}>{number}</TextLink>}
      badge={isThis ? <Badge tone="accent">{m.books_invoice_this()}</Badge> : null}
      detail={`${documentText(document)} · ${formatDay(issued_on)} · ${
        transaction
          ? `${typeText(transaction.type)} ${formatMoney(transaction.amount)}`
          : m.books_invoice_no_money()
      }`}
      actions={<span className="font-medium">{formatMoney(signedTotal({ kind, total }))}</span>}
    />
  )
}
