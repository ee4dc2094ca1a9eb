import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { publicKey } from '#foundation/public-key.ts'

export const listKeys = route({
  id: 'listKeys',
  tag: 'Licences',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: { who: 'anyone' },
  summary: 'The public keys of licence documents',
  description: 'The public keys of licence documents, as a JSON Web Key Set (RFC 7517) with its ETag',
  replies: {
    200: z.strictObject({
      keys: z.array(publicKey),
      /** The names of stolen keys: a client with an older list drops them. */
      withdrawn: z.array(z.string()),
    }),
    304: null,
  },
})

export const listRevocations = route({
  id: 'listRevocations',
  tag: 'Licences',
  method: 'GET',
  path: '/.well-known/licence-revocations',
  access: { who: 'anyone' },
  summary: 'The licence documents that are void',
  description:
    'A signed list (application/jose) of licence documents that are void although they are young, with its ETag: `revoked` names a host and the second before which its documents are void',
  responseType: 'application/jose',
  replies: { 200: null, 304: null },
})
