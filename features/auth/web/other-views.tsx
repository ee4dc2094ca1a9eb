import { CheckMail } from './check-mail.tsx'
import { Forgotten } from './forgotten.tsx'
import { Invited } from './invited.tsx'
import { NewPassword } from './new-password.tsx'
import { SecondStep } from './second-step.tsx'
import type { TakeStep, View } from './step.ts'
import { SignUp } from './sign-up.tsx'
import type { Step } from './step.ts'
import { VerifyEmail } from './verify-email.tsx'

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
