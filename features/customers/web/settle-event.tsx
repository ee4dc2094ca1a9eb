import { listUnbookedEvents, settleUnbookedEvent, type UnbookedEvent } from '#features/finance/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Marks an event that could not be booked as done, with a note for the log. */
export const SettleEvent = ({ event: { id }, ...dialog }: DialogProps & { event: UnbookedEvent }) => (
  <ActDialog
    {...dialog}
    about={id}
    title={m.customers_unbooked_settle_title()}
    description={m.customers_unbooked_settle_text()}
    act={m.customers_unbooked_settle()}
    submit={async (fields, send) => {
      const body = { note: fields.text('note') }
      const answer = await send(body, () => call(settleUnbookedEvent, { params: { id }, body }))
      if (!answer) return undefined
      for (const route of [listUnbookedEvents, getStaffMe]) refreshQueries(route)
      if (answer.status !== 200) return answer
      toastSuccess(() => m.customers_unbooked_settled())
      return dialog.onClose()
    }}
  >
    <TextField name="note" label={m.customers_unbooked_note()} most={200} autoComplete="off" required />
  </ActDialog>
)
