import type { ReactNode } from 'react'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button, type ButtonVariant } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import type { FormFields } from './form-fields.ts'
import { Form, SubmitButton } from './form.tsx'
import { useIntention } from './intention.ts'
import { useForm, type FormError } from './use-form.ts'

type Headers = { 'idempotency-key': string }

/** Sends `content` by `call`, with the idempotency key of this intention in the headers (rule 10). Undefined if the proof was not given. */
export type Send = <A extends AnswerStatus>(
  content: unknown,
  call: (headers: Headers) => Promise<A>,
) => Promise<A | undefined>

type Props = DialogProps & {
  /** Names the thing that is acted on. */
  title: string
  /** Says what the action will change. */
  description: string
  /** The name of the action, on its button. */
  act: string
  look?: ButtonVariant
  /** False while the form does not show the effect of the action yet: then neither the button nor Enter sends it. */
  isReady?: boolean
  /** Reads the fields and sends the action. Returns the refusal to show, or undefined if the action is done or given up. */
  submit: (fields: FormFields, send: Send) => Promise<FormError | undefined | void>
  children: ReactNode
}

/**
 * The frame of all dialogs in which staff act: a form, a proof of identity if the call asks for one, and one effect for all tries. The
 * typed text stays after a refusal.
 */
export function ActDialog({
  open,
  onClose,
  title,
  description,
  act,
  look = 'primary',
  isReady = true,
  submit,
  children,
}: Props) {
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const form = useForm((fields) => submit(fields, (content, call) => withProof(() => intend(content, call))))
  return (
    <>
      <Dialog open={open} onClose={onClose} title={title} description={description}>
        <Form form={form} label={act}>
          {children}
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton look={look} disabled={!isReady}>
              {act}
            </SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
