import { signOutCustomer } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'

export const SignOutCustomer = ({ card, ...dialog }: DialogProps & { card: CustomerCard }) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_sign_out_title({ name: card.name || card.email })}
    description={m.customers_sign_out_text()}
    act={m.customers_sign_out()}
    send={(reason) => call(signOutCustomer, { params: { userId: card.id }, body: { reason } })}
    done={(answer) => m.customers_signed_out({ count: answer.status === 200 ? answer.body.ended : 0 })}
  />
)
