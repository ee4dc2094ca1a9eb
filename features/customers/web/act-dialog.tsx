import type { ReactNode } from 'react'
import { REASON_LENGTH } from '#features/customers/rules.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshCustomer } from './hooks.ts'

type Props<A extends AnswerStatus> = DialogProps & {
  /** Names the customer. */
  title: string
  /** The consequence. */
  description: string
  /** The name of the action, on its button. */
  act: string
  look?: 'primary' | 'danger'
  send: (reason: string, fields: FormFields) => Promise<A>
  done: (answer: A) => string
  /** Fields before the reason. */
  before?: ReactNode
  /** Fields behind it. */
  children?: ReactNode
}

/**
 * The one dialog in which staff act on a customer's account: a reason for staff, and a fresh proof where it is asked for. What was
 * typed stays when it is refused.
 */
export function ActDialog<A extends AnswerStatus>(props: Props<A>) {
  const { open, onClose, title, description, act, look = 'primary', send, done, before, children } = props
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const answer = await withProof(() => send(fields.text('reason'), fields))
    if (!answer) return undefined
    if (answer.errors.length > 0) return answer
    toastSuccess(() => done(answer))
    refreshCustomer()
    return onClose()
  })
  return (
    <>
      <Dialog open={open} onClose={onClose} title={title} description={description}>
        <Form form={form} label={act}>
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
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton look={look}>{act}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
