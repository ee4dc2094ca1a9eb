import {
  getPasskeyProof,
  reauthenticate,
  reauthenticateByCode,
  reauthenticateByPasskey,
} from '#foundation/reauthentication-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { AccountName } from '#foundation/web/form/account-name.tsx'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { CodeField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { askPasskey } from './passkey.ts'

type Props = { onProven: () => void }

export function ByPassword({ onProven }: Props) {
  const form = useForm(async (fields) => {
    const answer = await call(reauthenticate, { body: { password: fields.text('password') } })
    if (answer.status !== 200) return answer
    onProven()
    return undefined
  })
  return (
    <Form form={form} label={m.reauthentication_title()}>
      <AccountName />
      <PasswordField
        name="password"
        label={m.reauthentication_password()}
        autoComplete="current-password"
        required
      />
      <SubmitButton wide>{m.reauthentication_confirm()}</SubmitButton>
    </Form>
  )
}

export function ByCode({ onProven }: Props) {
  const form = useForm(async (fields) => {
    const answer = await call(reauthenticateByCode, { body: { code: fields.text('code') } })
    if (answer.status !== 200) return answer
    onProven()
    return undefined
  })
  return (
    <Form form={form} label={m.reauthentication_title()}>
      <CodeField
        name="code"
        label={m.reauthentication_code()}
        hint={m.reauthentication_code_hint()}
        most={64}
        required
      />
      <SubmitButton wide>{m.reauthentication_confirm()}</SubmitButton>
    </Form>
  )
}

export function ByPasskey({ onProven }: Props) {
  const form = useForm(async () => {
    const asked = await call(getPasskeyProof)
    if (asked.status !== 200) return asked
    const credential = await askPasskey(asked.body.data.request_options.publicKey)
    if (!credential) return { errors: [{ code: 'passkey_not_used' }] }
    const answer = await call(reauthenticateByPasskey, { body: { credential } })
    // The server's `param` names a part of the call. It is left out, because the error concerns the passkey as a whole.
    if (answer.status !== 200) return { errors: answer.errors.map(({ code }) => ({ code })) }
    onProven()
    return undefined
  })
  return (
    <Form form={form} label={m.reauthentication_title()}>
      <p className="text-sm text-muted">{m.reauthentication_passkey_text()}</p>
      <SubmitButton wide>{m.reauthentication_passkey()}</SubmitButton>
    </Form>
  )
}
