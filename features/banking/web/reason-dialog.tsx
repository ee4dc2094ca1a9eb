import type { Answer } from '#foundation/web/api/answer.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import type { ignoreBankLine, reverseBankLine } from '#features/banking/contract.ts'
import { refreshLines } from './hooks.ts'

type Props = DialogProps & {
  title: string
  description: string
  hint: string
  /** The name of the act, on its button. */
  act: string
  send: (
    body: { reason: string },
    headers: { 'idempotency-key': string },
  ) => Promise<Answer<typeof ignoreBankLine> | Answer<typeof reverseBankLine>>
  /** Shown once it is done. */
  done: string
}

/** Asks why a payment is put aside or taken back. */
export function ReasonDialog({ open, onClose, title, description, hint, act, send, done }: Props) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const body = { reason: fields.text('reason') }
    const answer = await withProof(() => intend(body, (headers) => send(body, headers)))
    if (!answer) return undefined
    if (answer.status !== 200 && answer.status !== 201) return answer
    toastSuccess(() => done)
    refreshLines()
    return onClose()
  })
  return (
    <>
      <Dialog open={open} onClose={onClose} title={title} description={description}>
        <Form form={form} label={act}>
          <TextField
            name="reason"
            label={m.banking_reason()}
            hint={hint}
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
