import { useState } from 'react'
import { removePasskeys, renamePasskey } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators, type Factors } from './calls.ts'

type Props = { passkey: Factors['passkeys'][number]; open: boolean; onClose: () => void }

export function RenamePasskey({ passkey, open, onClose }: Props) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const body = { id: passkey.id, name: fields.text('name') }
    const answer = await withProof(() => call(renamePasskey, { body }))
    if (!answer) return undefined
    if (answer.status !== 200) return answer
    toastSuccess(() => m.security_passkey_renamed())
    onClose()
    await refreshAuthenticators()
    return undefined
  })
  return (
    <>
      <Dialog open={open} onClose={onClose} title={m.security_passkey_rename()}>
        <Form form={form} label={m.security_passkey_rename()}>
          <TextField
            name="name"
            label={m.security_passkey_name()}
            defaultValue={passkey.name}
            maxLength={100}
            autoComplete="off"
            required
          />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{m.ui_save()}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}

export function RemovePasskey({ passkey, open, onClose }: Props) {
  const { withProof, dialog } = useReauthentication()
  const [pending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    const answer = await withProof(() => call(removePasskeys, { body: { authenticators: [passkey.id] } }))
    setPending(false)
    if (!answer) return
    onClose()
    const [error] = answer.errors
    if (error) toastError(() => errorText(error))
    else toastSuccess(() => m.security_passkey_removed())
    await refreshAuthenticators()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.security_passkey_remove_title({ name: passkey.name })}
        description={m.security_passkey_remove_text()}
      >
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <Button look="danger" pending={pending} onClick={() => void remove()}>
            {m.security_passkey_remove()}
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  )
}
