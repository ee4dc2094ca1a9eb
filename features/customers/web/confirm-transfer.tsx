import { confirmTopUp, type CustomerTopUp } from '#features/finance/contract.ts'
import { amountOf } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'
import { amountIn, MoneyFields } from './money-fields.tsx'

/** Books a bank transfer that has arrived, with the amount that came, where it differs from the announced one. */
export function ConfirmTransfer({ transfer, open, onClose }: DialogProps & { transfer: CustomerTopUp }) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const { id, amount: announced, customer, bank } = transfer
  const { currency } = announced
  const form = useForm(async (fields) => {
    const amount = amountIn(fields.text('amount'), currency)
    if (amount === undefined) return { errors: [{ code: 'invalid', param: 'amount' }] }
    const differs = BigInt(amount) !== amountOf(announced)
    const body = { ...(differs ? { amount } : {}), reason: fields.text('reason') }
    const answer = await withProof(() =>
      intend(body, (headers) => call(confirmTopUp, { params: { userId: customer.id, id }, headers, body })),
    )
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    toastSuccess(() => m.customers_transfer_booked({ amount: formatMoney(answer.body.amount) }))
    refreshMoney()
    return onClose()
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.customers_transfer_title({ amount: formatMoney(announced) })}
        description={m.customers_transfer_text({ email: customer.email, reference: bank?.reference ?? '' })}
      >
        <Form form={form} label={m.customers_transfers_confirm()}>
          <MoneyFields currency={currency} amount={typedAmount(announced)} />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{m.customers_transfers_confirm()}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
