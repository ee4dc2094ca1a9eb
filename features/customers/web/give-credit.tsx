import { giveCredit } from '#features/finance/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { MoneyDialog } from './money-dialog.tsx'

/** Gives a customer credit; the customer reads the reason. */
export const GiveCredit = ({ card, ...dialog }: DialogProps & { card: CustomerCard }) => (
  <MoneyDialog
    {...dialog}
    title={m.customers_credit_title({ name: card.name || card.email })}
    description={m.customers_credit_text()}
    act={m.customers_give_credit()}
    permission="finance.credit"
    currency={card.balance.currency}
    send={(body, headers) => call(giveCredit, { params: { userId: card.id }, headers, body })}
    done={(amount) => m.customers_credit_given({ amount })}
  />
)
