import { endAutoTopUp } from '#features/auto-top-ups/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshAutoTopUp } from './hooks.ts'

/** Turns the automatic top-up off. */
export function EndDialog(dialog: DialogProps) {
  const form = useForm(async () => {
    const answer = await call(endAutoTopUp)
    if (answer.status !== 204) return answer
    refreshAutoTopUp()
    toastSuccess(m.auto_top_ups_ended)
    dialog.onClose()
    return undefined
  })
  return (
    <FormDialog
      {...dialog}
      title={m.auto_top_ups_turn_off()}
      description={m.auto_top_ups_turn_off_text()}
      form={form}
      act={m.auto_top_ups_turn_off()}
      look="danger"
    />
  )
}
