import { useState } from 'react'
import { removePasskeys, renamePasskey } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { EditForm } from '#foundation/web/form/edit-form.tsx'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators, type Factors } from './hooks.ts'

type Props = { passkey: Factors['passkeys'][number]; open: boolean; onClose: () => void }

export function RenamePasskey({ passkey, open, onClose }: Props) {
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved: passkey,
    save: async ({ name = '' }) => {
      const answer = await withProof(() => call(renamePasskey, { body: { id: passkey.id, name } }))
      return answer?.status === 200 ? { ...answer, body: { ...passkey, name } } : answer
    },
    onDone: (saved) => {
      if (saved) toastSuccess(() => m.security_passkey_renamed())
      onClose()
      void refreshAuthenticators()
    },
  })
  return (
    <>
      <Dialog open={open} onClose={onClose} title={m.security_passkey_rename()}>
        <EditForm form={form} label={m.security_passkey_rename()}>
          <TextField
            name="name"
            label={m.security_passkey_name()}
            defaultValue={passkey.name}
            most={100}
            autoComplete="off"
            required
          />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton>{m.ui_save()}</SubmitButton>
          </DialogActions>
        </EditForm>
      </Dialog>
      {dialog}
    </>
  )
}

export function RemovePasskey({ passkey, open, onClose, onChanged }: Props & { onChanged: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const [pending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    const answer = await withProof(() => call(removePasskeys, { body: { authenticators: [passkey.id] } }))
    setPending(false)
    if (!answer) return
    onClose()
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
    else {
      toastSuccess(() => m.security_passkey_removed())
      onChanged()
    }
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
