import { useState } from 'react'
import { changePassword } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { AccountName } from '#foundation/web/form/account-name.tsx'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { m } from '#texts/messages.js'

/** The card for a new password. The form is behind a button: a password is changed seldom, and the second factor matters more. */
export function ChangePassword() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Card
        title={m.security_password()}
        description={m.security_password_text()}
        actions={<Button onClick={() => setOpen(true)}>{m.security_password_change()}</Button>}
      />
      <Dialog open={open} onClose={close} title={m.security_password_change()}>
        <PasswordForm onClose={close} />
      </Dialog>
    </>
  )
}

/** The form for a new password. The server checks it, and each error is shown at its field (rows A-08, V-02). */
function PasswordForm({ onClose }: { onClose: () => void }) {
  const form = useForm(async (fields) => {
    const new_password = fields.text('new_password')
    if (fields.text('repeat_password') !== new_password)
      return { errors: [{ code: 'password_mismatch', param: 'repeat_password' }] }
    const current_password = fields.text('current_password')
    const answer = await call(changePassword, { body: { current_password, new_password } })
    if (answer.status === 200) {
      toastSuccess(() => m.security_password_changed())
      onClose()
      return undefined
    }
    if (answer.status !== 400) toastError(() => m.security_password_failed(), answer)
    return answer
  })
  return (
    <DialogForm form={form} act={m.security_password_save()} label={m.security_password()} onClose={onClose}>
      <AccountName />
      <PasswordField
        name="current_password"
        label={m.security_password_current()}
        autoComplete="current-password"
        required
      />
      <PasswordField
        name="new_password"
        label={m.security_password_new()}
        hint={m.security_password_hint()}
        autoComplete="new-password"
        required
      />
      <PasswordField
        name="repeat_password"
        label={m.security_password_repeat()}
        autoComplete="new-password"
        required
      />
    </DialogForm>
  )
}
