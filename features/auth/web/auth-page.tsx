import { useEffect, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { linkNames } from '#features/auth/contract.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { CheckMail } from './check-mail.tsx'
import { Forgotten } from './forgotten.tsx'
import { NewPassword } from './new-password.tsx'
import { SecondStep } from './second-step.tsx'
import { SignIn } from './sign-in.tsx'
import { SignUp } from './sign-up.tsx'
import { pendingStep, type Step } from './step.ts'
import { VerifyEmail } from './verify-email.tsx'

/**
 * Coming in (rows ): one page whose view stands in the address, so that 'back', reload and the links of
 * mails work. The e-mail address is typed once and goes along from view to view.
 */
export function AuthPage() {
  const go = useGo()
  const content = useRef<HTMLElement>(null)
  const view = useView()
  const [email, setEmail] = useState('')
  const [step, setStep] = useState<Step>()
  useFocusOn(view.name, content)

  const keepEmail = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLInputElement && target.name === 'email') setEmail(target.value)
  }
  const takeStep = (body: Parameters<typeof pendingStep>[0]) => {
    const next = pendingStep(body)
    if (!next) return { errors: [{ code: 'account_inactive' }] }
    setStep(next)
    void go(next.id === 'verify_email' ? '/auth?view=check-mail' : '/auth?view=code')
    return undefined
  }

  return (
    <AuthFrame ref={content} onInput={keepEmail}>
      {view.name === 'verify' ? (
        <VerifyEmail verificationKey={view.key} onEmail={setEmail} />
      ) : view.name === 'reset' ? (
        <NewPassword resetKey={view.key} onEmail={setEmail} />
      ) : view.name === 'signup' ? (
        <SignUp email={email} takeStep={takeStep} />
      ) : view.name === 'check-mail' ? (
        <CheckMail email={email} />
      ) : view.name === 'forgotten' ? (
        <Forgotten email={email} />
      ) : view.name === 'code' ? (
        <SecondStep factors={step?.factors} />
      ) : (
        <SignIn email={email} takeStep={takeStep} />
      )}
    </AuthFrame>
  )
}

type View = { name: string; key: string }

function useView(): View {
  const verify = useQueryValue(linkNames.verify)
  const reset = useQueryValue(linkNames.reset)
  const name = useQueryValue('view') ?? 'login'
  if (verify !== undefined) return { name: 'verify', key: verify }
  if (reset !== undefined) return { name: 'reset', key: reset }
  return { name, key: '' }
}

/** A change of view is a change of page to whoever cannot see it: the focus goes to its first empty field, or its heading. */
function useFocusOn(view: string, content: { current: HTMLElement | null }): void {
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    const fields = [
      ...(content.current?.querySelectorAll<HTMLInputElement>('form input:not([hidden])') ?? []),
    ]
    const empty = fields.find((field) => field.value === '')
    const target = empty ?? fields[0] ?? content.current?.querySelector('h1')
    target?.focus()
  }, [view, content])
}
