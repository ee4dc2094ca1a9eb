import { correctTransaction, type Transaction } from '#features/finance/contract.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'

type Props = DialogProps & { userId: string; transaction: Transaction }

/** Undoes a booking that staff made by mistake; the customer reads the reason. */
export function CorrectBooking({ userId, transaction: { id, amount: booked }, ...dialog }: Props) {
  const moved = amountOf(booked)
  const amount = formatMoney(toMoney(moved < 0n ? -moved : moved, booked.currency))
  return (
    <ActDialog
      {...dialog}
      about={id}
      title={m.customers_correct_title({ amount })}
      description={m.customers_correct_text()}
      act={m.customers_correct()}
      submit={async (fields, send) => {
        const body = { reason: fields.text('reason') }
        const params = { userId, id }
        const answer = await send(body, (headers) => call(correctTransaction, { params, headers, body }))
        if (!answer) return undefined
        if (answer.status === 202) toastSuccess(() => m.approvals_sent({ amount }))
        else if (answer.status === 201) toastSuccess(() => m.customers_corrected({ amount }))
        else return answer
        refreshMoney()
        return dialog.onClose()
      }}
    >
      <TextField
        name="reason"
        label={m.customers_reason()}
        hint={m.customers_reason_hint()}
        most={200}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}
