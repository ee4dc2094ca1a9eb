import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

type Json = Record<string, unknown>

/**
 * Lets the browser ask for a passkey; undefined where the customer would not, has none, or is offline. The library that speaks
 * with the browser comes only now: most visits never need it.
 */
export async function askPasskey(publicKey: Json): Promise<Json | undefined> {
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON
    return (await startAuthentication({ optionsJSON })) as unknown as Json
  } catch {
    return undefined
  }
}
