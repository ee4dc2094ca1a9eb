import type { ClientBase } from 'pg'
import { unseal, type Keys } from '#foundation/server/keys.ts'
import { knownKeys, type KnownKey } from './queries.ts'

export const contextOfDigests = (fingerprint: string) => `digests of ${fingerprint}`

/** Returns the keys by which earlier SECRET_KEYs hashed short secrets, with their fingerprints, but for those that `keys` cannot open. */
export const retiredDigests = (
  keys: Keys,
  known: readonly KnownKey[],
): [name: string, digests: Uint8Array][] =>
  known.flatMap(({ fingerprint, digests }) => {
    const isOurs = digests && [keys, keys.former].some((own) => own && digests.startsWith(`${own.boxId}.`))
    if (!isOurs) return []
    const text = unseal(keys, digests, contextOfDigests(fingerprint))
    return [[fingerprint, new Uint8Array(Buffer.from(text, 'base64url'))]]
  })

export async function readRetiredDigests(keys: Keys, owner: ClientBase): Promise<Uint8Array[]> {
  return retiredDigests(keys, await knownKeys(owner)).map(([, digests]) => digests)
}
