import { giftInText } from '#features/finance/texts.ts'
import { requestPayout } from '#features/payouts/contract.ts'
import { amountOf, digitsOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { formatMoney, parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { AccountFields } from './account-fields.tsx'
import { refreshAfterRequest, usePayouts } from './hooks.ts'

/** Pays money of the balance out: how much may leave, how much of it shall, and where it goes. */
export function PayoutDialog({ gift, ...dialog }: DialogProps & { gift: Money }) {
  const query = usePayouts()
  const payable = query.data?.pages[0]?.payable
  const { currency } = gift
  const most = payable && amountOf(payable) > 0n ? typedAmount(payable) : undefined
  const submit = async (fields: FormFields, send: Send) => {
    const amount = parseAmount(fields.text('amount'), digitsOf(currency))
    if (amount === undefined || amount <= 0n)
      return { errors: [{ code: 'invalid', param: 'amount' }] } as const
    const account = { iban: fields.text('iban'), holder: fields.text('holder') }
    const body = { amount: toMoney(amount, currency), ...account }
    const answer = await send(body, (headers) => call(requestPayout, { headers, body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    toastSuccess(() => m.payouts_requested({ amount: formatMoney(answer.body.amount) }))
    refreshAfterRequest()
    return dialog.onClose()
  }
  const kept = giftInText(gift)
  return (
    <ActDialog
      {...dialog}
      title={m.payouts_pay_out()}
      description={m.payouts_dialog_text()}
      act={m.payouts_pay_out()}
      submit={submit}
    >
      <div className="text-sm">
        <p>{payable ? m.payouts_up_to({ amount: formatMoney(payable) }) : <Coming of={query} />}</p>
        {kept === undefined ? null : <p className="text-muted">{`${kept} ${m.payouts_gift_stays()}`}</p>}
      </div>
      <TextField
        key={most}
        name="amount"
        label={m.payouts_amount({ currency })}
        defaultValue={most}
        inputMode={digitsOf(currency) === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
      />
      <AccountFields />
    </ActDialog>
  )
}
