import { inspectVerification, verifyEmail } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { BrokenLink } from './broken-link.tsx'
import { callAnew, told } from './calls.ts'
import { useKey } from './use-key.ts'

type Props = { verificationKey: string; onEmail: (email: string) => void }

/** Row A-04: the link of a mail. A 401 is the success of whoever is not signed in. */
export function VerifyEmail({ verificationKey: key, onEmail }: Props) {
  const go = useGo()
  const { email, errors } = useKey(key, inspect, onEmail)
  const form = useForm(async () => {
    const answer = await callAnew(() => call(verifyEmail, { body: { key } }))
    if (answer.status === 200) {
      toastSuccess(m.auth_verified)
      void go('/settings/account', { replace: true })
    } else if (answer.status === 401) {
      toastSuccess(m.auth_verified_sign_in)
      void go('/auth', { replace: true })
    } else return told(answer, m.auth_verify_failed)
    return undefined
  })
  if (errors) return <BrokenLink title={m.auth_verify_title()} errors={errors} />
  return (
    <AuthView
      title={m.auth_verify_title()}
      description={email === undefined ? m.ui_loading() : m.auth_verify_text({ email })}
    >
      <Form form={form}>
        <SubmitButton wide disabled={email === undefined}>
          {m.auth_verify_action()}
        </SubmitButton>
      </Form>
    </AuthView>
  )
}

async function inspect(key: string) {
  const answer = await callAnew(() =>
    call(inspectVerification, { headers: { 'x-email-verification-key': key } }),
  )
  return answer.status === 200 ? { ...answer, email: answer.body.data.email } : answer
}
