import { useState } from 'react'
import { cancelCheckout, type Checkout } from '#features/sales/checkouts.ts'
import { checkoutName } from '#features/sales/texts.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshCheckouts } from './checkout-hooks.ts'

/** The dialog that cancels an order which waits for its money. */
export function CancelCheckout({
  checkout,
  onClose,
}: {
  checkout: Checkout | undefined
  onClose: () => void
}) {
  // The last order is kept, so that the text stays while the dialog closes.
  const [last, setLast] = useState(checkout)
  if (checkout && checkout !== last) setLast(checkout)
  const form = useForm(async () => {
    if (!checkout) return undefined
    const answer = await call(cancelCheckout, { params: { id: checkout.id } })
    refreshCheckouts()
    if (answer.status !== 200) return answer
    toastSuccess(m.sales_checkout_cancelled)
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={checkout !== undefined}
      onClose={onClose}
      title={m.sales_checkout_cancel_title()}
      description={m.sales_checkout_cancel_text({ what: last ? checkoutName(last) : '' })}
      form={form}
      act={m.sales_checkout_cancel()}
      look="danger"
      back={<Button onClick={onClose}>{m.ui_back()}</Button>}
    />
  )
}
