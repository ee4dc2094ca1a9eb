import { refundTransaction, type Transaction } from '#features/finance/contract.ts'
import { descriptionText } from '#features/finance/texts.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'

type Props = DialogProps & {
  card: Pick<CustomerCard, 'id' | 'name' | 'email'>
  transaction: Transaction
  /** The amount to begin with; all that was paid where none is proposed. */
  proposed?: Money
}

/** Refunds a spending, whole or in part, with its credit note; the customer reads the reason. */
export function Refund({ card, transaction: { id, amount, description }, proposed, ...dialog }: Props) {
  const spent = toMoney(-amountOf(amount), amount.currency)
  return (
    <MoneyDialog
      {...dialog}
      title={m.customers_refund_title({ name: card.name || card.email })}
      description={m.customers_refund_text({
        what: descriptionText(description),
        amount: formatMoney(spent),
      })}
      act={m.customers_refund()}
      permission="finance.refund"
      currency={amount.currency}
      amount={typedAmount(proposed ?? spent)}
      send={(body, headers) => call(refundTransaction, { params: { userId: card.id, id }, headers, body })}
      done={(refunded) => m.customers_refunded({ amount: refunded })}
    />
  )
}
