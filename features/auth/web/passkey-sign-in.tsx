import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { getPasskeyLogin, loginByPasskey } from '#features/auth/contract.ts'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { callWithoutStaleSession, toFormError } from './hooks.ts'
import type { TakeStep } from './step.ts'

/** Signing in by passkey alone. Not offered if the browser does not support it. */
export function PasskeySignIn({ takeStep }: { takeStep: TakeStep }) {
  const [pending, setPending] = useState(false)
  const [errors, setErrors] = useState<readonly DisplayedError[]>([])
  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    const callOff = whenIdle(() => {
      void import('./passkey-autofill.ts')
        .then(({ offerPasskeys }) => {
          if (!gone) stop = offerPasskeys((credential) => answerWith(credential, takeStep), setErrors)
        })
        // Without it there is the button.
        .catch(() => {})
    })
    return () => {
      gone = true
      callOff()
      stop?.()
    }
    // Once for the page: takeStep only leads on.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  if (!('PublicKeyCredential' in window)) return null

  const signIn = async () => {
    setPending(true)
    setErrors((await comeIn(takeStep))?.errors ?? [])
    setPending(false)
  }
  return (
    <div className="mt-3 flex flex-col gap-3">
      <Button
        wide
        pending={pending}
        icon={<KeyRound size={16} aria-hidden="true" />}
        onClick={() => void signIn()}
      >
        {m.auth_passkey_sign_in()}
      </Button>
      {errors.length > 0 ? (
        <Alert tone="danger" live>
          {errors.map((error) => (
            <p key={error.code}>{errorText(error)}</p>
          ))}
        </Alert>
      ) : null}
    </div>
  )
}

async function comeIn(takeStep: TakeStep) {
  const asked = await callWithoutStaleSession(() => call(getPasskeyLogin))
  if (asked.status !== 200) return toFormError(asked, m.auth_login_failed)
  const { askPasskey } = await import('#foundation/web/reauthentication/passkey.ts')
  const credential = await askPasskey(asked.body.data.request_options.publicKey)
  // Closing the browser's own dialog needs no message.
  return credential ? answerWith(credential, takeStep) : undefined
}

async function answerWith(
  credential: Record<string, unknown>,
  takeStep: TakeStep,
): Promise<FormError | undefined> {
  const answer = await call(loginByPasskey, { body: { credential } })
  if (answer.status === 401) return takeStep(answer.body)
  if (answer.status === 400) return { errors: [{ code: 'passkey_unknown' }] }
  if (answer.status !== 200) return toFormError(answer, m.auth_login_failed)
  toastSuccess(m.auth_signed_in)
  return undefined
}
