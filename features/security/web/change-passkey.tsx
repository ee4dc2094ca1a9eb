import { removePasskeys, renamePasskey } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
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
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.security_passkey_rename()}
      form={form}
      act={m.ui_save()}
      label={m.security_passkey_rename()}
      proof={dialog}
    >
      <TextField
        name="name"
        label={m.security_passkey_name()}
        defaultValue={passkey.name}
        most={100}
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}

export function RemovePasskey({ passkey, open, onClose, onChanged }: Props & { onChanged: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async () => {
    const answer = await withProof(() => call(removePasskeys, { body: { authenticators: [passkey.id] } }))
    if (!answer) return
    onClose()
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
    else {
      toastSuccess(() => m.security_passkey_removed())
      onChanged()
    }
    await refreshAuthenticators()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.security_passkey_remove_title({ name: passkey.name })}
      description={m.security_passkey_remove_text()}
      form={form}
      act={m.security_passkey_remove()}
      look="danger"
      proof={dialog}
    />
  )
}
