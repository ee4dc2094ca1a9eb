import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { seal, unseal, type Keys } from './keys.ts'

/** A new pair: the name of the key (RFC 7638), its public half as RFC 8037 writes it, and its private half, sealed. */
export function newKeyPair(
  keys: Keys,
  contextOf: (kid: string) => string,
): { kid: string; public_key: string; private_key: string } {
  const pair = generateKeyPairSync('ed25519')
  const { x: public_key = '' } = pair.publicKey.export({ format: 'jwk' })
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: public_key })
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  const plain = pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url')
  return { kid, public_key, private_key: seal(keys, plain, contextOf(kid)) }
}

/** Opens the private half that `newKeyPair` sealed. */
export function privateKeyOf(keys: Keys, private_key: string, context: string): KeyObject {
  const plain = unseal(keys, private_key, context)
  return createPrivateKey({ key: Buffer.from(plain, 'base64url'), type: 'pkcs8', format: 'der' })
}
