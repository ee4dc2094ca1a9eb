import { confirmAddress, type CustomerAccount } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'

type Props = DialogProps & { card: CustomerCard; address: CustomerAccount['addresses'][number] }

/** Confirms an address for a customer whom no mail of ours reaches. */
export const ConfirmAddress = ({ card, address: { id, email }, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_confirm_title({ email, name: card.name || card.email })}
    description={m.customers_confirm_text()}
    act={m.customers_confirm()}
    send={(reason) =>
      call(confirmAddress, { params: { userId: card.id, addressId: String(id) }, body: { reason } })
    }
    done={() => m.customers_confirmed_now({ email })}
  />
)
