import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { addPasskey, getPasskeyCreation } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators } from './hooks.ts'

type Props = { open: boolean; onClose: () => void; onChanged: () => void }

export function AddPasskey({ open, onClose, onChanged }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.security_passkey_add()}
      description={m.security_passkey_add_text()}
    >
      <AddForm onClose={onClose} onChanged={onChanged} />
    </Dialog>
  )
}

function AddForm({ onClose, onChanged }: Omit<Props, 'open'>) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const query = fields.checked('passwordless') ? { passwordless: '1' } : {}
    const asked = await withProof(() => call(getPasskeyCreation, { query }))
    if (!asked) return undefined
    if (asked.status === 404) return { errors: [{ code: 'passkeys_off' }] }
    if (asked.status !== 200) return asked
    const made = await create(asked.body.data.creation_options.publicKey)
    if ('error' in made) return { errors: [made.error] }
    const name = fields.text('name')
    const answer = await withProof(() => call(addPasskey, { body: { name, credential: made.credential } }))
    if (!answer) return undefined
    if (answer.status !== 200) return answer
    toastSuccess(() => m.security_passkey_added())
    onClose()
    onChanged()
    await refreshAuthenticators()
    return undefined
  })
  return (
    <>
      <DialogForm
        form={form}
        act={m.security_passkey_create()}
        label={m.security_passkey_add()}
        onClose={onClose}
      >
        <TextField
          name="name"
          label={m.security_passkey_name()}
          hint={m.security_passkey_name_hint()}
          most={100}
          autoComplete="off"
        />
        <CheckboxField
          name="passwordless"
          label={m.security_passkey_passwordless()}
          hint={m.security_passkey_passwordless_hint()}
          defaultChecked
        />
      </DialogForm>
      {dialog}
    </>
  )
}

type Made = { credential: Record<string, unknown> } | { error: DisplayedError }

/** Treats the server's options as the type of the browser's library: the server makes them with the same library (SimpleWebAuthn). */
function optionsIn(publicKey: Record<string, unknown>): PublicKeyCredentialCreationOptionsJSON
function optionsIn(publicKey: Record<string, unknown>): object {
  return publicKey
}

/** Lets the browser make the passkey. The library for this loads only now. */
async function create(publicKey: Record<string, unknown>): Promise<Made> {
  const library = await import('@simplewebauthn/browser').catch(() => undefined)
  if (!library) return { error: { code: 'network' } }
  const { startRegistration } = library
  try {
    return { credential: { ...(await startRegistration({ optionsJSON: optionsIn(publicKey) })) } }
  } catch (error) {
    // The same authenticator cannot be added twice; every other error means that the customer cancelled.
    const known = error instanceof Error && error.name === 'InvalidStateError'
    return { error: { code: known ? 'passkey_known' : 'passkey_not_made' } }
  }
}
