import * as z from 'zod/mini'

/** The fields of a key that signs by Ed25519, but for its name and its value. */
export const ED25519_KEY = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' } as const

/** A key as RFC 7517 and RFC 8037 write it. */
export const publicKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
  kid: z.string(),
  x: z.string(),
})
