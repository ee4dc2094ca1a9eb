import { useState } from 'react'
import { payOut, writeOffDebt } from '#features/finance/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'
import { NotPaidOut } from './not-paid-out.tsx'

type Props = DialogProps & { card: CustomerCard }

type OfBalance = { balance: Money; gift: Money; held: Money; payable: Money }

/**
 * Records money of a balance that was transferred back to the customer. The dialog says how much can be paid out, how much is a gift, and
 * how much is held.
 */
export function PayOut({ card, listed, ...dialog }: Props & { listed: OfBalance }) {
  const [reference, setReference] = useState('')
  return (
    <MoneyDialog
      {...dialog}
      title={m.customers_pay_out_title({ name: card.name || card.email })}
      description={m.customers_pay_out_text()}
      act={m.customers_pay_out()}
      permission="finance.pay_out"
      currency={listed.balance.currency}
      amount={typedAmount(listed.payable)}
      send={(body, headers) =>
        call(payOut, { params: { userId: card.id }, headers, body: { ...body, reference } })
      }
      done={() => m.customers_paid_out()}
    >
      <div className="text-sm">
        <p>
          {m.customers_pay_out_payable({
            balance: formatMoney(listed.balance),
            payable: formatMoney(listed.payable),
          })}
        </p>
        <NotPaidOut gift={listed.gift} held={listed.held} />
      </div>
      <TextField
        name="reference"
        label={m.customers_pay_out_reference()}
        most={100}
        autoComplete="off"
        required
        onInput={(event) => setReference(event.currentTarget.value)}
      />
    </MoneyDialog>
  )
}

/** Writes off what a customer owes, or a part of it. */
export const WriteOff = ({ card, ...dialog }: Props) => (
  <MoneyDialog
    {...dialog}
    title={m.customers_write_off_title({ name: card.name || card.email })}
    description={m.customers_write_off_text()}
    act={m.customers_write_off()}
    permission="finance.write_off"
    currency={card.balance.currency}
    amount={typedAmount(toMoney(-amountOf(card.balance), card.balance.currency))}
    send={(body, headers) => call(writeOffDebt, { params: { userId: card.id }, headers, body })}
    done={(amount) => m.customers_written_off({ amount })}
  />
)
