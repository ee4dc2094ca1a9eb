import { paths } from '#features/paths.ts'
import { resendVerification } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink, useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { toFormError } from './hooks.ts'

/** The view after a sign-up: asks the user to open the mailed link that proves the address, and sends the mail again on request. */
export function CheckMail({ email }: { email: string }) {
  const go = useGo()
  const form = useForm(async () => {
    const answer = await call(resendVerification)
    if (answer.status === 200) toastSuccess(m.auth_mail_sent_again)
    // The pending sign-up is over, or the address was proven meanwhile: in both cases the next step is to sign in.
    else if (answer.status === 409 || answer.status === 410) void go(paths.signIn(), { replace: true })
    else if (answer.status === 429) return { errors: [{ code: 'mail_sent_recently' }] }
    else return toFormError(answer, m.auth_signup_failed)
    return undefined
  })
  return (
    <AuthView
      title={m.auth_check_mail()}
      description={email === '' ? m.auth_check_mail_text() : m.auth_check_mail_text_to({ email })}
      footer={<TextLink to={paths.signIn()}>{m.auth_back_to_sign_in()}</TextLink>}
    >
      <Form form={form}>
        <SubmitButton look="secondary" wide>
          {m.auth_send_again()}
        </SubmitButton>
      </Form>
    </AuthView>
  )
}
