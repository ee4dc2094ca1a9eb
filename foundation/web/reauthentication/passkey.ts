import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

type Json = Record<string, unknown>

/**
 * Lets the browser ask for a passkey. Resolves to undefined if the person declines or has none, or without a network. The library
 * for this is loaded on demand, as most visits never need it. With `autofill` the browser offers passkeys together with passwords,
 * in a field marked `webauthn`, and waits until one is chosen or `stopAsking` is called.
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

/** Casts the options, which the server makes with the server part of the same library. */
function optionsIn(publicKey: Json): PublicKeyCredentialRequestOptionsJSON
function optionsIn(publicKey: Json): object {
  return publicKey
}

/** Ends a request that waits for autofill. */
export const stopAsking = () =>
  void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
    WebAuthnAbortService.cancelCeremony(),
  )
