import { refundTransaction, type Transaction } from '#features/finance/contract.ts'
import { descriptionText } from '#features/finance/texts.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'
import { amountIn, MoneyFields } from './money-fields.tsx'

type Props = DialogProps & { card: CustomerCard; transaction: Transaction }

/** Refunds a spending, whole or in part, with its credit note; the customer reads the reason. */
export function Refund({ card, transaction, open, onClose }: Props) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const { id, amount, description } = transaction
  const { currency } = amount
  const spent = toMoney(-amountOf(amount), currency)
  const form = useForm(async (fields) => {
    const wanted = amountIn(fields.text('amount'), currency)
    if (wanted === undefined) return { errors: [{ code: 'invalid', param: 'amount' }] }
    const body = { amount: wanted, reason: fields.text('reason') }
    const answer = await withProof(() =>
      intend(body, (headers) => call(refundTransaction, { params: { userId: card.id, id }, headers, body })),
    )
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    toastSuccess(() => m.customers_refunded({ amount: formatMoney(answer.body.amount) }))
    refreshMoney()
    return onClose()
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.customers_refund_title({ name: card.name || card.email })}
        description={m.customers_refund_text({
          what: descriptionText(description),
          amount: formatMoney(spent),
        })}
      >
        <Form form={form} label={m.customers_refund()}>
          <MoneyFields currency={currency} amount={typedAmount(spent)} />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{m.customers_refund()}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
