import { voidVoucher, type MadeVoucher } from '#features/catalogue/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshVouchers } from './hooks.ts'

/** Makes a voucher worthless from now on. */
export const VoidVoucher = ({ voucher: { id }, ...dialog }: DialogProps & { voucher: MadeVoucher }) => (
  <ActDialog
    {...dialog}
    title={m.catalogue_void_of({ id })}
    description={m.catalogue_void_text()}
    act={m.catalogue_void()}
    look="danger"
    submit={async (fields, send) => {
      const body = { reason: fields.text('reason') }
      const answer = await send(body, () => call(voidVoucher, { params: { id }, body }))
      if (!answer) return undefined
      if (answer.status !== 200) return answer
      refreshVouchers()
      toastSuccess(() => m.catalogue_voided({ id }))
      return dialog.onClose()
    }}
  >
    <TextField
      name="reason"
      label={m.catalogue_reason()}
      hint={m.catalogue_reason_hint()}
      most={200}
      autoComplete="off"
      required
    />
  </ActDialog>
)
