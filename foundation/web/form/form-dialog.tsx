import type { ComponentProps, ReactNode } from 'react'
import { Button, type ButtonVariant } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { Form, SubmitButton } from './form.tsx'
import type { EditFormHandle } from './edit-handle.ts'
import type { FormHandle } from './use-form.ts'

type Props = {
  /** Made by `useForm`, or by `useEditForm` where the form changes something. */
  form: FormHandle | EditFormHandle
  /** The name of the action, on its button, and of the form. */
  act: string
  /** The name of the form, where it differs from the action's. */
  label?: string
  look?: ButtonVariant
  /** False while the form does not show the effect of the action yet: then neither the button nor Enter sends it. */
  isReady?: boolean
  /** The button beside the action's, where it is not 'Cancel'. */
  back?: ReactNode
  /** The row of buttons, where it holds more than `back` and the action's. */
  actions?: ReactNode
  onClose: () => void
  children?: ReactNode
}

export type FormDialogProps = Props &
  Omit<ComponentProps<typeof Dialog>, 'bare'> & {
    /** The dialog of `useReauthentication`, where the call may ask for a proof. */
    proof?: ReactNode
  }

/** A form in a dialog. It sends once, and keeps what was typed and shows why if the call fails; its owner closes it when it is done. */
export function FormDialog({ open, title, description, wide, dismissible, proof, ...rest }: FormDialogProps) {
  const dialog = { open, title, description, onClose: rest.onClose }
  return (
    <>
      <Dialog {...dialog} {...(wide && { wide })} {...(dismissible === false && { dismissible })}>
        <DialogForm {...rest} />
      </Dialog>
      {proof}
    </>
  )
}

/** The form of a dialog that also shows something else: steps, tabs, or the state of what it loads. */
export function DialogForm({ form, label, children, ...rest }: Props) {
  const named = label ?? rest.act
  const content = (
    <>
      <div className="contents">{children}</div>
      <Buttons {...rest} />
    </>
  )
  if ('conflicts' in form)
    return (
      <form.Frame form={form} label={named}>
        {content}
      </form.Frame>
    )
  return (
    <Form form={form} label={named}>
      {content}
    </Form>
  )
}

type ButtonsProps = Omit<Props, 'form' | 'label' | 'children'>

function Buttons({ act, look = 'primary', isReady = true, back, actions, onClose }: ButtonsProps) {
  if (actions !== undefined) return actions
  return (
    <DialogActions>
      {back ?? <Button onClick={onClose}>{m.ui_cancel()}</Button>}
      <SubmitButton look={look} disabled={!isReady}>
        {act}
      </SubmitButton>
    </DialogActions>
  )
}
