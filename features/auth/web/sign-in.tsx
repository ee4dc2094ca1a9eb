import { paths } from '#features/paths.ts'
import { login, getConfig } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink, useQueryValue } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'
import { callWithoutStaleSession, toFormError } from './hooks.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import type { TakeStep } from './step.ts'
import { useEffect, useState } from 'react'

/** The form that signs in by email and password (row A-02). A 401 is the normal way to the next step (row A-03). */
export function SignIn({ email, takeStep }: { email: string; takeStep: TakeStep }) {
  const form = useForm(async (fields) => {
    const body = { email: fields.text('email'), password: fields.text('password') }
    const answer = await callWithoutStaleSession(() => call(login, { body }))
    if (answer.status === 401) return takeStep(answer.body)
    if (answer.status !== 200) return toFormError(answer, m.auth_login_failed)
    toastSuccess(m.auth_signed_in)
    return undefined
  })
  const offer = useOffer()
  const signUp = (
    <>
      <span>{m.auth_no_account()}</span>{' '}
      <TextLink to={paths.signIn({ view: 'signup' })}>{m.auth_sign_up()}</TextLink>
    </>
  )
  return (
    <AuthView title={m.auth_sign_in()} footer={offer.signup ? signUp : null}>
      {useQueryValue('over') === undefined ? null : (
        <div className="mb-4">
          <Alert tone="warning" live>
            {m.auth_step_over()}
          </Alert>
        </div>
      )}
      <Form form={form}>
        <EmailField
          name="email"
          label={m.auth_email()}
          autoComplete="username webauthn"
          defaultValue={email}
          required
        />
        <PasswordField
          name="password"
          label={m.auth_password()}
          autoComplete="current-password"
          required
          aside={<TextLink to={paths.signIn({ view: 'forgotten' })}>{m.auth_forgotten()}</TextLink>}
        />
        <SubmitButton wide>{m.auth_sign_in()}</SubmitButton>
      </Form>
      {offer.passkeys ? <PasskeySignIn takeStep={takeStep} /> : null}
    </AuthView>
  )
}

type Offer = { signup: boolean; passkeys: boolean }

// The options of most installations are shown at once, so that nothing moves when the answer comes.
let known: Offer = { signup: true, passkeys: true }

/** Returns whether this installation offers sign-up and passkeys. */
function useOffer(): Offer {
  const [offer, setOffer] = useState(known)
  useEffect(() => {
    void call(getConfig).then((answer) => {
      if (answer.status !== 200) return
      const { account, mfa } = answer.body.data
      known = { signup: account.is_open_for_signup, passkeys: mfa.passkey_login_enabled }
      setOffer(known)
    })
  }, [])
  return offer
}
