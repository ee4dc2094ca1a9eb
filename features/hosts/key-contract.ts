import * as z from 'zod/mini'
import { capability } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { host, hostId } from './contract.ts'

/** The key of a host's licence is renewed by who may make its other secrets, but for technical helpers: software stops with the old one. */
const renewKeys = capability('hosts.renew_key', ['full'])

export const renewLicenceKey = route({
  id: 'renewLicenceKey',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence-key/',
  access: { who: 'customer', acts: renewKeys, whileBlocked: 'refused' },
  summary: 'A new licence key for a host',
  description:
    'A new licence key. The one before is answered for another 24 hours, but brings no new machine; with `at_once` it stops now, and so do all keys of before. Signed documents with it end with it',
  params: z.strictObject({ hostId }),
  body: z.strictObject({ at_once: z.boolean() }),
  replies: { 200: host },
  errors: { 429: ['too_many_requests'] },
})
