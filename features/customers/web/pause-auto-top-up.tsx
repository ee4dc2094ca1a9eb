import { getCustomerAutoTopUp, pauseCustomerAutoTopUp } from '#features/auto-top-ups/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Pauses the automatic top-up of a customer, who reads the reason. */
export const PauseAutoTopUp = ({ card, ...dialog }: DialogProps & { card: CustomerCard }) => (
  <ActDialog
    {...dialog}
    title={m.auto_top_ups_staff_pause_title()}
    description={m.auto_top_ups_staff_pause_text()}
    act={m.auto_top_ups_staff_pause()}
    submit={async (fields, send) => {
      const body = { reason: fields.text('reason') }
      const answer = await send(body, () =>
        call(pauseCustomerAutoTopUp, { params: { userId: card.id }, body }),
      )
      if (!answer) return undefined
      if (answer.status !== 200) return answer
      refreshQueries(getCustomerAutoTopUp)
      toastSuccess(m.auto_top_ups_staff_paused)
      return dialog.onClose()
    }}
  >
    <TextField name="reason" label={m.auto_top_ups_staff_reason()} most={200} autoComplete="off" required />
  </ActDialog>
)
