import { paths } from '#features/paths.ts'
import { inspectReset, resetPassword } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession } from '#foundation/web/api/stored-session.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { NewPasswordFields } from './new-password-fields.tsx'
import { AuthView } from './auth-frame.tsx'
import { BrokenLink } from './broken-link.tsx'
import { callWithoutStaleSession, toFormError } from './hooks.ts'
import { useKey } from './use-key.ts'

type Props = { resetKey: string; onEmail: (email: string) => void }

/** The view for the mailed link that sets another password (row A-05). Success signs nobody in, and ends all sessions of the account. */
export function NewPassword({ resetKey: key, onEmail }: Props) {
  const go = useGo()
  const { email, errors } = useKey(key, inspect, onEmail)
  const form = useForm(async (fields) => {
    const password = fields.text('password')
    if (password !== fields.text('repeat_password')) {
      return { errors: [{ code: 'password_mismatch', param: 'repeat_password' }] }
    }
    const answer = await callWithoutStaleSession(() => call(resetPassword, { body: { key, password } }))
    if (answer.status !== 200 && answer.status !== 401) return toFormError(answer, m.auth_reset_failed)
    clearSession(answer.seen.session)
    toastSuccess(m.auth_password_set)
    void go(paths.signIn(), { replace: true })
    return undefined
  })
  if (errors) {
    const next = { to: paths.signIn({ view: 'forgotten' }), label: m.auth_ask_again() }
    return <BrokenLink title={m.auth_new_password()} errors={errors} next={next} />
  }
  return (
    <AuthView
      title={m.auth_new_password()}
      description={email === undefined ? m.ui_loading() : m.auth_new_password_text({ email })}
    >
      <Form form={form}>
        {/* A password manager saves the new password with the account named here. */}
        <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <NewPasswordFields label={m.auth_new_password_field()} />
        <SubmitButton wide disabled={email === undefined}>
          {m.auth_set_password()}
        </SubmitButton>
      </Form>
    </AuthView>
  )
}

async function inspect(key: string) {
  const answer = await callWithoutStaleSession(() =>
    call(inspectReset, { headers: { 'x-password-reset-key': key } }),
  )
  return answer.status === 200 ? { ...answer, email: answer.body.data.user.email ?? '' } : answer
}
