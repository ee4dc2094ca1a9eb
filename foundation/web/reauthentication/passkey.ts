import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

type Json = Record<string, unknown>

/**
 * Lets the browser ask for a passkey; undefined where the customer would not, has none, or is offline. The library that speaks
 * with the browser comes only now: most visits never need it. With `autofill` the browser offers passkeys where it offers
 * passwords, in a field marked `webauthn`, and waits until one is chosen or `stopAsking` is called.
 */
export async function askPasskey(publicKey: Json, { autofill = false } = {}): Promise<Json | undefined> {
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const optionsJSON = optionsIn(publicKey)
    return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) }
  } catch {
    return undefined
  }
}

/** The server makes them with the other half of the same library. */
function optionsIn(publicKey: Json): PublicKeyCredentialRequestOptionsJSON
function optionsIn(publicKey: Json): object {
  return publicKey
}

/** Ends a request that waits for autofill. */
export const stopAsking = () =>
  void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
    WebAuthnAbortService.cancelCeremony(),
  )
