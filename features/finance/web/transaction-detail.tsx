import type { Transaction } from '#features/finance/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

/** The dialog with the details of a transaction that has neither invoice nor server, and with its id for questions to support. */
export function TransactionDetail({
  transaction,
  onClose,
}: {
  transaction: Transaction | undefined
  onClose: () => void
}) {
  return (
    <Dialog
      open={transaction !== undefined}
      onClose={onClose}
      title={transaction ? descriptionText(transaction.description) : ''}
    >
      {transaction ? <Details transaction={transaction} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{m.ui_close()}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Details({
  transaction: { id, type, amount, balance_after, created_at, description },
}: {
  transaction: Transaction
}) {
  const lines = [
    { term: m.finance_column_amount(), value: formatSignedMoney(amount) },
    { term: m.finance_column_type(), value: movementText({ type, description }) },
    { term: m.finance_column_date(), value: formatDateTime(created_at) },
    { term: m.finance_column_balance(), value: formatMoney(balance_after) },
  ]
  return (
    <dl className="ruled text-sm">
      {lines.map(({ term, value }) => (
        <div key={term} className="flex justify-between gap-6 py-2.5">
          <dt className="shrink-0 text-muted">{term}</dt>
          <dd className="text-right font-medium [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
      <div className="flex items-center justify-between gap-3 py-1">
        <dt className="shrink-0 text-muted">{m.finance_transaction_id()}</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 truncate font-mono text-xs">{id}</code>
          <CopyButton text={id} />
        </dd>
      </div>
    </dl>
  )
}
