import { useState, type ReactNode } from 'react'
import { aboveAllowanceText } from '#features/approvals/web/words.ts'
import type { giveCredit } from '#features/finance/contract.ts'
import type { payToBank, refundTopUp } from '#features/payouts/contract.ts'
import { useAllowance } from '#features/team/web/team.ts'
import { digitsOf, toMoney, type Money } from '#foundation/money.ts'
import type { Answer } from '#foundation/web/api/answer.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { formatMoney, parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshMoney } from './hooks.ts'

type Props = DialogProps & {
  /** The id of the thing that the action is about, where there are several of a customer. */
  about?: string
  title: string
  description: string
  /** The name of the act, on its button. */
  act: string
  /** The permission that the act needs. */
  permission: string
  currency: string
  /** The initial amount in the form in which a person types it (`typedAmount`). */
  amount?: string
  /** `amount` is above 0. The headers carry the idempotency key of this intention (rule 10). */
  send: (
    body: { amount: Money; reason: string },
    headers: { 'idempotency-key': string },
  ) => Promise<Answer<typeof giveCredit> | Answer<typeof payToBank> | Answer<typeof refundTopUp>>
  /** The text that is shown once the amount is booked. */
  done: (amount: string) => string
  /** Fields above the amount. */
  children?: ReactNode
}

/** The dialog in which staff move money: amount, reason, a fresh proof of identity if required, and one booking however often it is sent. */
export function MoneyDialog({ permission, currency, amount, send, done, children, ...dialog }: Props) {
  const digits = digitsOf(currency)
  const [typing, setTyping] = useState<{ text: string; over: string | undefined }>()
  // A new initial amount replaces the text that was typed over the previous one.
  const entered = typing && typing.over === amount ? typing.text : (amount ?? '')
  const allowance = useAllowance(permission)
  const warning = allowance && aboveAllowanceText(allowance, parseAmount(entered, digits) ?? 0n)
  const submit = async (fields: FormFields, sending: Send) => {
    const typed = parseAmount(fields.text('amount'), digits)
    if (typed === undefined || typed <= 0n) return { errors: [{ code: 'invalid', param: 'amount' }] } as const
    const body = { amount: toMoney(typed, currency), reason: fields.text('reason') }
    const answer = await sending(body, (headers) => send(body, headers))
    if (!answer) return undefined
    if (answer.status === 202) {
      const { amount: asked } = answer.body.approval
      toastSuccess(() => m.approvals_sent({ amount: asked ? formatMoney(asked) : '' }))
    } else if (answer.status === 201) {
      const { amount: booked } = answer.body
      toastSuccess(() => done(formatMoney(booked)))
    } else return answer
    refreshMoney()
    return dialog.onClose()
  }
  return (
    <ActDialog {...dialog} submit={submit}>
      <div className="contents">{children}</div>
      <TextField
        key={amount}
        name="amount"
        label={m.customers_amount({ currency })}
        defaultValue={amount}
        inputMode={digits === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
        onInput={(event) => setTyping({ text: event.currentTarget.value, over: amount })}
      />
      {warning ? (
        <Alert tone="warning" live>
          {warning}
        </Alert>
      ) : null}
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
