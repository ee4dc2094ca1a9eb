import { confirmTopUp, type CustomerTopUp } from '#features/finance/contract.ts'
import { isSameMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'

/** Books a bank transfer that has arrived. Staff change the amount if it differs from the announced amount. */
export function ConfirmTransfer({
  transfer: { id, amount: announced, customer, bank },
  ...dialog
}: DialogProps & { transfer: CustomerTopUp }) {
  return (
    <MoneyDialog
      {...dialog}
      about={id}
      title={m.customers_transfer_title({ amount: formatMoney(announced) })}
      description={m.customers_transfer_text({ email: customer.email, reference: bank?.reference ?? '' })}
      act={m.customers_transfers_confirm()}
      permission="banking.book"
      currency={announced.currency}
      amount={typedAmount(announced)}
      send={({ amount, reason }, headers) =>
        call(confirmTopUp, {
          params: { userId: customer.id, id },
          headers,
          body: { ...(isSameMoney(amount, announced) ? {} : { amount }), reason },
        })
      }
      done={(amount) => m.customers_transfer_booked({ amount })}
    />
  )
}
