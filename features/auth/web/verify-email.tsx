import { paths } from '#features/paths.ts'
import { useCallback, useState } from 'react'
import { disownAddress, verifyEmail } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { BrokenLink } from './broken-link.tsx'
import { callWithoutStaleSession, toFormError } from './hooks.ts'
import { inspectKey, questionOf, type ConfirmationRequest } from './confirmation.ts'
import { useKey } from './use-key.ts'

type Props = { verificationKey: string; onEmail: (email: string) => void }

/**
 * The view for the mailed link that proves an address (row A-04). Without a session a 401 is the success. The page names the
 * account, because a stranger may have made it: confirming would hand them the address (rule 37).
 */
export function VerifyEmail({ verificationKey: key, onEmail }: Props) {
  const go = useGo()
  const [asked, setAsked] = useState<ConfirmationRequest>()
  const inspect = useCallback(async (sent: string) => {
    const answer = await callWithoutStaleSession(() => inspectKey(sent))
    if (answer.status !== 200) return answer
    setAsked(answer.body.data)
    return { ...answer, email: answer.body.data.email }
  }, [])
  const { email, errors } = useKey(key, inspect, onEmail)
  const form = useForm(async () => {
    const answer = await callWithoutStaleSession(() => call(verifyEmail, { body: { key } }))
    if (answer.status === 200) {
      toastSuccess(m.auth_verified)
      void go(paths.account(), { replace: true })
    } else if (answer.status === 401) {
      toastSuccess(m.auth_verified_sign_in)
      void go(paths.signIn(), { replace: true })
    } else return toFormError(answer, m.auth_verify_failed)
    return undefined
  })
  if (errors) return <BrokenLink title={m.auth_verify_title()} errors={errors} />
  return (
    <AuthView
      title={m.auth_verify_title()}
      description={email !== undefined && asked ? questionOf(asked) : m.ui_loading()}
    >
      <Form form={form}>
        <p className="text-sm text-muted">{m.auth_verify_warning()}</p>
        <SubmitButton wide disabled={email === undefined}>
          {m.auth_verify_action()}
        </SubmitButton>
      </Form>
      <Disown verificationKey={key} disabled={email === undefined} />
    </AuthView>
  )
}

function Disown({ verificationKey: key, disabled }: { verificationKey: string; disabled: boolean }) {
  const go = useGo()
  const form = useForm(async () => {
    const answer = await callWithoutStaleSession(() => call(disownAddress, { body: { key } }))
    if (answer.status !== 200) return toFormError(answer, m.auth_verify_failed)
    toastSuccess(m.auth_verify_disowned)
    void go(paths.signIn(), { replace: true })
    return undefined
  })
  return (
    <div className="mt-3">
      <Form form={form}>
        <SubmitButton look="secondary" wide disabled={disabled}>
          {m.auth_verify_not_me()}
        </SubmitButton>
      </Form>
    </div>
  )
}
