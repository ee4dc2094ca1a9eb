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

/** Sends `content` by `call`, whose headers carry the key of this intention (rule 10); undefined where the proof was not given. */
export type Send = <A extends AnswerStatus>(
  content: unknown,
  call: (headers: Headers) => Promise<A>,
) => Promise<A | undefined>

type Props = DialogProps & {
  /** Names the thing that is acted on. */
  title: string
  /** The consequence. */
  description: string
  /** The name of the action, on its button. */
  act: string
  look?: ButtonVariant
  /** False while the form does not show yet what the action comes to: neither the button nor Enter sends then. */
  isReady?: boolean
  /** Reads the fields and sends; returns the refusal to show, or undefined where the action is done or given up. */
  submit: (fields: FormFields, send: Send) => Promise<FormError | undefined | void>
  children: ReactNode
}

/** The frame of all dialogs in which staff act: a form, a fresh proof where it is needed, one effect for all tries. A refusal keeps the text. */
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
