import { giveCredit } from '#features/finance/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'
import { amountIn, MoneyFields } from './money-fields.tsx'

/** Gives a customer credit; the customer reads the reason. */
export function GiveCredit({ card, open, onClose }: DialogProps & { card: CustomerCard }) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const { currency } = card.balance
  const form = useForm(async (fields) => {
    const amount = amountIn(fields.text('amount'), currency)
    if (amount === undefined) return { errors: [{ code: 'invalid', param: 'amount' }] }
    const body = { amount, reason: fields.text('reason') }
    const answer = await withProof(() =>
      intend(body, (headers) => call(giveCredit, { params: { userId: card.id }, headers, body })),
    )
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    toastSuccess(() => m.customers_credit_given({ amount: formatMoney(answer.body.amount) }))
    refreshMoney()
    return onClose()
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.customers_credit_title({ name: card.name || card.email })}
        description={m.customers_credit_text()}
      >
        <Form form={form} label={m.customers_give_credit()}>
          <MoneyFields currency={currency} />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{m.customers_give_credit()}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
