import { getPasskeyLogin } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { isStillSeen, seeSession } from '#foundation/web/api/stored-session.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { askPasskey, stopAsking } from '#foundation/web/reauthentication/passkey.ts'

type Credential = Record<string, unknown>
type SignIn = (
  credential: Credential,
  sessionToken: string | undefined,
) => Promise<{ errors: readonly DisplayedError[] } | undefined>

/**
 * Lets the browser offer passkeys beside passwords, in the field for the email (WebAuthn level 3, conditional mediation). Requests
 * a new challenge before the last one expires. Returns a function that stops the offer.
 */
export function offerPasskeys(signIn: SignIn, tell: (errors: readonly DisplayedError[]) => void): () => void {
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted
  const offer = async () => {
    if (isStopped() || !(await isOffered())) return
    const seen = seeSession()
    // No sign-in has begun, and another one may be under way: the token of the challenge is kept here and never stored (rule 57).
    const asked = await call(getPasskeyLogin, {}, { sessionToken: null })
    if (isStopped() || asked.status !== 200) return
    const challenge = asked.body.meta?.session_token
    const credential = await askPasskey(asked.body.data.request_options.publicKey, { autofill: true })
    // Without a credential the offer ends: the button or a later offer took its place.
    if (!credential || isStopped()) return
    // A password was right meanwhile: its second step is what the person is at.
    if (!isStillSeen(seen)) return
    tell((await signIn(credential, challenge))?.errors ?? [])
  }
  void offer()
  const timer = setInterval(() => void offer(), RENEWED_ms)
  return () => {
    stopping.abort()
    clearInterval(timer)
    stopAsking()
  }
}

// The server keeps a challenge for ten minutes.
const RENEWED_ms = 9 * 60_000

async function isOffered(): Promise<boolean> {
  const isKnown = 'PublicKeyCredential' in window && 'isConditionalMediationAvailable' in PublicKeyCredential
  return isKnown && PublicKeyCredential.isConditionalMediationAvailable()
}
