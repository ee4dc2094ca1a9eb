import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** Lets the browser ask for a passkey; undefined where the person declined, or has none. A chunk of its own. */
export async function askPasskey(
  publicKey: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON
    return { ...(await startAuthentication({ optionsJSON })) }
  } catch {
    return undefined
  }
}
