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
    const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON
    return (await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) as unknown as Json
  } catch {
    return undefined
  }
}

/** Ends a request that waits for autofill. */
export const stopAsking = () =>
  void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
    WebAuthnAbortService.cancelCeremony(),
  )
