import type { ReactNode } from 'react'
import { REASON_LENGTH } from '#features/customers/rules.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshCustomer } from './hooks.ts'

type Props<A extends AnswerStatus> = DialogProps & {
  /** The id of the thing that the action is about, where there are several of a customer. */
  about?: string
  /** The title, with the name of the customer. */
  title: string
  /** The consequence of the action. */
  description: string
  /** The name of the action, on its button. */
  act: string
  look?: 'primary' | 'danger'
  send: (reason: string, fields: FormFields) => Promise<A>
  done: (answer: A) => string
  /** Fields before the reason. */
  before?: ReactNode
  /** Fields after the reason. */
  children?: ReactNode
}

/** The dialog of all actions of staff on a customer's account, with a reason that only staff read. */
export function CustomerActDialog<A extends AnswerStatus>({
  send,
  done,
  before,
  children,
  ...dialog
}: Props<A>) {
  return (
    <ActDialog
      {...dialog}
      submit={async (fields, sending) => {
        const reason = fields.text('reason')
        const answer = await sending(reason, () => send(reason, fields))
        if (!answer) return undefined
        if (answer.errors.length > 0) return answer
        toastSuccess(() => done(answer))
        refreshCustomer()
        return dialog.onClose()
      }}
    >
      {before}
      <TextField
        name="reason"
        label={m.customers_staff_reason()}
        hint={m.customers_staff_reason_hint()}
        most={REASON_LENGTH}
        autoComplete="off"
        required
      />
      {children}
    </ActDialog>
  )
}
