import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { m } from '#texts/messages.js'

/** The field for a new password, and a second field that repeats it, against typing errors (row V-02). */
export function NewPasswordFields({ label }: { label: string }) {
  return (
    <>
      <PasswordField
        name="password"
        label={label}
        hint={m.auth_password_hint()}
        autoComplete="new-password"
        required
      />
      <PasswordField
        name="repeat_password"
        label={m.auth_repeat_password()}
        autoComplete="new-password"
        required
      />
    </>
  )
}
