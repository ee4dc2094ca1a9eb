import { useState } from 'react'
import type { Transaction } from '#features/finance/contract.ts'
import { payToBank, refundTopUp } from '#features/payouts/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'

type Props = DialogProps & { card: CustomerCard; payable: Money }

/** Gives a payment back to the card or account that it came from, by its provider. */
export function RefundToSource({ card, payable, payment, ...dialog }: Props & { payment: Transaction }) {
  const most = amountOf(payable) < amountOf(payment.amount) ? payable : payment.amount
  const params = { userId: card.id, id: payment.id }
  return (
    <MoneyDialog
      {...dialog}
      about={payment.id}
      title={m.customers_source_title({ name: card.name || card.email })}
      description={m.customers_source_text()}
      act={m.customers_source()}
      permission="payouts.source"
      currency={payable.currency}
      amount={typedAmount(most)}
      send={(body, headers) => call(refundTopUp, { params, headers, body })}
      done={(amount) => m.customers_source_done({ amount })}
    />
  )
}

/** Pays money of a balance out to a bank account, as the customer would ask for it. */
export function PayToBank({ card, payable, ...dialog }: Props) {
  const [account, setAccount] = useState({ iban: '', holder: '' })
  return (
    <MoneyDialog
      {...dialog}
      title={m.customers_to_bank_title({ name: card.name || card.email })}
      description={m.customers_to_bank_text()}
      act={m.customers_to_bank()}
      permission="payouts.bank"
      currency={payable.currency}
      amount={typedAmount(payable)}
      send={(body, headers) =>
        call(payToBank, { params: { userId: card.id }, headers, body: { ...body, ...account } })
      }
      done={(amount) => m.customers_to_bank_done({ amount })}
    >
      <TextField
        name="iban"
        label={m.finance_bank_iban()}
        autoComplete="off"
        required
        onInput={(event) => setAccount({ ...account, iban: event.currentTarget.value })}
      />
      <TextField
        name="holder"
        label={m.payouts_holder()}
        most={70}
        autoComplete="off"
        required
        onInput={(event) => setAccount({ ...account, holder: event.currentTarget.value })}
      />
    </MoneyDialog>
  )
}
