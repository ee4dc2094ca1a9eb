import { useState } from 'react'
import { aboveAllowanceText } from '#features/approvals/web/words.ts'
import type { giveCredit } from '#features/finance/contract.ts'
import { digitsOf } from '#foundation/money.ts'
import type { Answer } from '#foundation/web/api/answer.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney, parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney, useAllowance } from './hooks.ts'

type Props = DialogProps & {
  title: string
  description: string
  /** The name of the act, on its button. */
  act: string
  /** The permission that it needs. */
  permission: string
  currency: string
  /** As one would type it. */
  amount?: string
  /** `amount` in minor units, more than none. The headers carry the key of this intention (rule 10). */
  send: (
    body: { amount: string; reason: string },
    headers: { 'idempotency-key': string },
  ) => Promise<Answer<typeof giveCredit>>
  /** Shown once it is booked. */
  done: (amount: string) => string
}

/** The one dialog in which staff move money: amount and reason, a fresh proof where it is asked for, and one booking however often it is sent. */
export function MoneyDialog({
  open,
  onClose,
  title,
  description,
  act,
  permission,
  currency,
  amount,
  send,
  done,
}: Props) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const digits = digitsOf(currency)
  const [entered, setEntered] = useState(amount ?? '')
  const allowance = useAllowance(permission)
  const warning = allowance && aboveAllowanceText(allowance, parseAmount(entered, digits) ?? 0n)
  const form = useForm(async (fields) => {
    const typed = parseAmount(fields.text('amount'), digits)
    if (typed === undefined || typed <= 0n) return { errors: [{ code: 'invalid', param: 'amount' }] }
    const body = { amount: typed.toString(), reason: fields.text('reason') }
    const answer = await withProof(() => intend(body, (headers) => send(body, headers)))
    if (!answer) return undefined
    if (answer.status === 202) {
      const { amount: asked } = answer.body.approval
      toastSuccess(() => m.approvals_sent({ amount: asked ? formatMoney(asked) : '' }))
      refreshMoney()
      return onClose()
    }
    if (answer.status !== 201) return answer
    const { amount: booked } = answer.body
    toastSuccess(() => done(formatMoney(booked)))
    refreshMoney()
    return onClose()
  })
  return (
    <>
      <Dialog open={open} onClose={onClose} title={title} description={description}>
        <Form form={form} label={act}>
          <TextField
            name="amount"
            label={m.customers_amount({ currency })}
            defaultValue={amount}
            inputMode={digits === 0 ? 'numeric' : 'decimal'}
            autoComplete="off"
            required
            onInput={(event) => setEntered(event.currentTarget.value)}
          />
          <div role="status">{warning ? <Alert tone="warning">{warning}</Alert> : null}</div>
          <TextField
            name="reason"
            label={m.customers_reason()}
            hint={m.customers_reason_hint()}
            most={200}
            autoComplete="off"
            required
          />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{act}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
