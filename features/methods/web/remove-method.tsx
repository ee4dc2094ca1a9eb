import { useState } from 'react'
import { removeMethod, type PaymentMethod } from '#features/methods/contract.ts'
import { methodName } from '#features/methods/texts.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshMethods } from './hooks.ts'

/** The dialog that removes a saved method. */
export function RemoveMethod({
  method,
  onClose,
}: {
  method: PaymentMethod | undefined
  onClose: () => void
}) {
  // The last method is kept, so that the text stays while the dialog closes.
  const [last, setLast] = useState(method)
  if (method && method !== last) setLast(method)
  const name = last ? methodName(last) : ''
  const form = useForm(async () => {
    if (!method) return undefined
    const answer = await call(removeMethod, { params: { methodId: method.id } })
    refreshMethods()
    if (answer.status !== 204 && answer.status !== 404) return answer
    toastSuccess(() => m.methods_removed({ name }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={method !== undefined}
      onClose={onClose}
      title={m.methods_remove_title({ name })}
      description={m.methods_remove_text()}
      form={form}
      act={m.methods_remove()}
      look="danger"
    />
  )
}
