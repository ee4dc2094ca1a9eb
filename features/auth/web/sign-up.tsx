import { paths } from '#features/paths.ts'
import { signup } from '#features/auth/contract.ts'
import { acceptedTerms } from '#features/legal/rules.ts'
import { signUpTerms } from '#features/legal/slots.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { operator } from '#foundation/web/operator.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { NewPasswordFields } from './new-password-fields.tsx'
import { AuthView } from './auth-frame.tsx'
import { callWithoutStaleSession, toFormError } from './hooks.ts'
import type { TakeStep } from './step.ts'

type Props = {
  email: string
  /** The key of the mailed invitation that led here; '' without one. */
  invitation: string
  takeStep: TakeStep
}

/** The form that makes an account (row A-04). A 401 is the success: the next step proves the address. */
export function SignUp({ email, invitation, takeStep }: Props) {
  const form = useForm(async (fields) => {
    const body = {
      email: fields.text('email'),
      password: fields.text('password'),
      repeat_password: fields.text('repeat_password'),
      ...(invitation === '' ? {} : { invitation }),
      ...acceptedTerms(fields),
    }
    const answer = await callWithoutStaleSession(() => call(signup, { body }))
    if (answer.status === 401) return takeStep(answer.body)
    if (answer.status === 403) return { errors: [{ code: 'signup_closed' }] }
    if (answer.status !== 200) return toFormError(answer, m.auth_signup_failed)
    toastSuccess(m.auth_signed_in)
    return undefined
  })
  return (
    <AuthView
      title={m.auth_sign_up()}
      footer={
        <>
          <span>{m.auth_have_account()}</span> <TextLink to={paths.signIn()}>{m.auth_sign_in()}</TextLink>
        </>
      }
    >
      <Form form={form}>
        <EmailField
          name="email"
          label={m.auth_email()}
          autoComplete="username"
          defaultValue={email}
          required
        />
        <NewPasswordFields label={m.auth_password()} />
        {operator.terms_version ? <Slot of={signUpTerms} props={{}} /> : null}
        <SubmitButton wide>{m.auth_sign_up()}</SubmitButton>
      </Form>
    </AuthView>
  )
}
