import { paths } from '#features/paths.ts'
import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import {
  authenticateByCode,
  authenticateByPasskey,
  getPasskeyStep,
  getSession,
} from '#features/auth/contract.ts'
import type { Factor } from '#foundation/session-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink, useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CodeField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { toFormError } from './hooks.ts'
import { pendingStep } from './step.ts'

/** The second step of a login (row A-03). One field takes a code of the app or a recovery code; a 401 means that the login starts over. */
export function SecondStep({ factors: known }: { factors: readonly Factor[] | undefined }) {
  const startOver = useStartOver()
  const factors = useFactors(known)
  const form = useForm(async (fields) => {
    const answer = await call(authenticateByCode, { body: { code: fields.text('code') } })
    if (answer.status === 401 || answer.status === 410) return startOver()
    if (answer.status !== 200) return toFormError(answer, m.auth_code_failed)
    toastSuccess(m.auth_signed_in)
    return undefined
  })
  return (
    <AuthView
      title={m.auth_second_step()}
      description={m.auth_second_step_text()}
      footer={<TextLink to={paths.signIn()}>{m.auth_start_over()}</TextLink>}
    >
      <div className="flex flex-col gap-6">
        {factors.includes('webauthn') ? <PasskeyStep /> : null}
        <Form form={form}>
          <CodeField name="code" label={m.auth_code()} hint={m.auth_code_hint()} required />
          <SubmitButton wide>{m.auth_sign_in()}</SubmitButton>
        </Form>
      </div>
    </AuthView>
  )
}

function PasskeyStep() {
  const startOver = useStartOver()
  const form = useForm(async () => {
    const asked = await call(getPasskeyStep)
    if (asked.status === 401 || asked.status === 410) return startOver()
    if (asked.status !== 200) return toFormError(asked, m.auth_code_failed)
    const { askPasskey } = await import('#foundation/web/reauthentication/passkey.ts')
    const credential = await askPasskey(asked.body.data.request_options.publicKey)
    if (!credential) return undefined
    const answer = await call(authenticateByPasskey, { body: { credential } })
    if (answer.status === 401 || answer.status === 410) return startOver()
    if (answer.status === 400) return { errors: [{ code: 'passkey_unknown' }] }
    if (answer.status !== 200) return toFormError(answer, m.auth_code_failed)
    toastSuccess(m.auth_signed_in)
    return undefined
  })
  return (
    <Form form={form}>
      <SubmitButton look="secondary" wide icon={<KeyRound size={16} aria-hidden="true" />}>
        {m.auth_passkey_step()}
      </SubmitButton>
    </Form>
  )
}

/**
 * Returns the factors that the pending login accepts. After a reload the server is asked for them; if nothing is pending any more,
 * the login starts over.
 */
function useFactors(known: readonly Factor[] | undefined): readonly Factor[] {
  const [asked, setAsked] = useState<readonly Factor[]>([])
  const startOver = useStartOver()
  const isKnown = known !== undefined
  useEffect(() => {
    if (isKnown) return
    void call(getSession).then((answer) => {
      const step = answer.status === 401 ? pendingStep(answer.body) : undefined
      if (step?.id === 'mfa_authenticate') setAsked(step.factors)
      else if (answer.status === 401 || answer.status === 410) startOver()
    })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- asked once, when the page comes without an answer
  }, [isKnown])
  return known ?? asked
}

function useStartOver(): () => undefined {
  const go = useGo()
  return () => void go(paths.signIn({ over: '1' }), { replace: true })
}
