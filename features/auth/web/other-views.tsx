import { CheckMail } from './check-mail.tsx'
import { Forgotten } from './forgotten.tsx'
import { NewPassword } from './new-password.tsx'
import { SecondStep } from './second-step.tsx'
import type { TakeStep, View, Step } from './step.ts'
import { SignUp } from './sign-up.tsx'
import { VerifyEmail } from './verify-email.tsx'
import { paths } from '#features/paths.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'

type Props = {
  view: View
  email: string
  onEmail: (email: string) => void
  step: Step | undefined
  takeStep: TakeStep
}

/** Every view but the one that signs in. */
export function OtherViews({ view, email, onEmail, step, takeStep }: Props) {
  if (view.name === 'verify') return <VerifyEmail verificationKey={view.key} onEmail={onEmail} />
  if (view.name === 'reset') return <NewPassword resetKey={view.key} onEmail={onEmail} />
  if (view.name === 'invited') return <Invited invitation={view.key} />
  if (view.name === 'signup') return <SignUp email={email} invitation={view.key} takeStep={takeStep} />
  if (view.name === 'check-mail') return <CheckMail email={email} />
  if (view.name === 'forgotten') return <Forgotten email={email} />
  return <SecondStep factors={step?.factors} />
}

/** The view for the link of an invitation, opened by a visitor who is signed out. After the sign-in the router leads to the invitation. */
function Invited({ invitation }: { invitation: string }) {
  return (
    <AuthView title={m.auth_invited()} description={m.auth_invited_text()}>
      <div className="flex flex-col gap-3">
        <ButtonLink to={paths.signIn({ view: 'login' })} look="primary" wide>
          {m.auth_sign_in()}
        </ButtonLink>
        <ButtonLink to={paths.signIn({ view: 'signup', invite: invitation })} wide>
          {m.auth_sign_up()}
        </ButtonLink>
      </div>
    </AuthView>
  )
}
