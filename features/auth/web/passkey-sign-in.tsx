import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import type { TakeStep } from './step.ts'

// Most people sign in by password, so the code for passkeys loads when the page is idle, or when the button is pressed.
const loadPasskeys = () => import('./come-in-by-passkey.ts')

const unreachable = { errors: [{ code: 'network' }] } as const

/** Signing in by passkey alone. Not offered if the browser does not support it. */
export function PasskeySignIn({ takeStep }: { takeStep: TakeStep }) {
  const [errors, setErrors] = useState<readonly DisplayedError[]>([])
  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    const callOff = whenIdle(() => {
      void loadPasskeys()
        .then(({ offerToComeIn }) => {
          if (!gone) stop = offerToComeIn(takeStep, setErrors)
        })
        // Without the browser's offer the button is still there.
        .catch(() => {})
    })
    return () => {
      gone = true
      callOff()
      stop?.()
    }
    // This runs once for the page, since each `takeStep` does the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const signIn = useAct(async () => {
    // A file that cannot be fetched is reported like a call without network.
    const come = loadPasskeys().then(
      ({ comeInByPasskey }) => comeInByPasskey(takeStep),
      () => unreachable,
    )
    setErrors((await come)?.errors ?? [])
  })
  if (!('PublicKeyCredential' in window)) return null
  return (
    <div className="mt-3 flex flex-col gap-3">
      <Button
        wide
        pending={signIn.pending}
        icon={<KeyRound size={16} aria-hidden="true" />}
        onClick={signIn.run}
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
