import * as z from 'zod/mini'

/** A key as RFC 7517 and RFC 8037 write it. */
export const publicKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
  kid: z.string(),
  x: z.string(),
})
