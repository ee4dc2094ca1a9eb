import { aboveAllowanceText } from '#features/approvals/web/words.ts'
import { returnPayout, type StaffPayout } from '#features/payouts/staff-contract.ts'
import { useAllowance } from '#features/team/web/team.ts'
import { amountOf } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshStaffPayouts } from './hooks.ts'

/** Asks why a payout failed or came back, and puts its money on the balance again. */
export function ReturnDialog({ payout, ...dialog }: DialogProps & { payout: StaffPayout }) {
  const amount = formatMoney(payout.amount)
  const allowance = useAllowance('payouts.return')
  const warning = allowance && aboveAllowanceText(allowance, amountOf(payout.amount))
  return (
    <ActDialog
      {...dialog}
      about={payout.id}
      title={m.payouts_return_title({ amount })}
      description={m.payouts_return_text()}
      act={m.payouts_return()}
      submit={async (fields, sending) => {
        const body = { reason: fields.text('reason') }
        const params = { userId: payout.customer.id, id: payout.id }
        const answer = await sending(body, (headers) => call(returnPayout, { params, headers, body }))
        if (!answer) return undefined
        if (answer.status === 202) toastSuccess(() => m.approvals_sent({ amount }))
        else if (answer.status === 201) toastSuccess(() => m.payouts_returned_done({ amount }))
        else return answer
        refreshStaffPayouts()
        return dialog.onClose()
      }}
    >
      {warning ? <Alert tone="warning">{warning}</Alert> : null}
      <TextField
        name="reason"
        label={m.payouts_reason()}
        hint={m.payouts_reason_hint()}
        most={200}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}
