import { rejectTransfer } from '#features/customers/contract.ts'
import { REASON_LENGTH } from '#features/customers/rules.ts'
import type { CustomerTopUp } from '#features/finance/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'

/** Stops waiting for a bank transfer; the customer reads the reason. */
export const RejectTransfer = ({
  transfer: { id, amount, customer, bank },
  ...dialog
}: DialogProps & { transfer: CustomerTopUp }) => (
  <ActDialog
    {...dialog}
    about={id}
    title={m.customers_transfer_reject_title({ amount: formatMoney(amount) })}
    description={m.customers_transfer_reject_text({
      email: customer.email,
      reference: bank?.reference ?? '',
    })}
    act={m.customers_transfers_reject()}
    look="danger"
    submit={async (fields, send) => {
      const body = { reason: fields.text('reason') }
      const params = { userId: customer.id, id }
      const answer = await send(body, () => call(rejectTransfer, { params, body }))
      if (!answer) return undefined
      refreshMoney()
      if (answer.status !== 200) return answer
      toastSuccess(() => m.customers_transfer_rejected({ reference: bank?.reference ?? '' }))
      return dialog.onClose()
    }}
  >
    <TextField
      name="reason"
      label={m.customers_reason()}
      hint={m.customers_reason_hint()}
      most={REASON_LENGTH}
      autoComplete="off"
      required
    />
  </ActDialog>
)
