import { cancelFactorReset, requestFactorReset } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'

type Props = DialogProps & { card: CustomerCard }

/** Asks for the reset of a lost second factor, which happens after a waiting time. */
export const ResetFactor = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_reset_title({ name: card.name || card.email })}
    description={m.customers_reset_text()}
    act={m.customers_reset_factor()}
    look="danger"
    send={(reason) => call(requestFactorReset, { params: { userId: card.id }, body: { reason } })}
    done={(answer) =>
      m.customers_reset_requested({
        date: answer.status === 201 ? formatDateTime(answer.body.due_at) : '',
      })
    }
  />
)

/** Calls the pending reset off. */
export const CancelReset = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_reset_cancel_title({ name: card.name || card.email })}
    description={m.customers_reset_cancel_text()}
    act={m.customers_reset_cancel()}
    send={(reason) => call(cancelFactorReset, { params: { userId: card.id }, body: { reason } })}
    done={() => m.customers_reset_cancelled()}
  />
)
