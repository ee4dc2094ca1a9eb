import * as z from 'zod/mini'
import { capability } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { named } from '#foundation/printed.ts'
import { host, hostId } from './contract.ts'
import { MOST_KEYS } from './rules.ts'

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

const renewedKey = z.strictObject({
  host_id: z.string(),
  name: z.string(),
  /** The new key; null where the key was renewed five times within a day, and stays. */
  licence_key: z.nullable(z.string()),
})
named('RenewedKey', renewedKey)
export type RenewedKey = z.infer<typeof renewedKey>

const areApart = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

export const renewLicenceKeys = route({
  id: 'renewLicenceKeys',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/licence-keys/',
  access: { who: 'customer', acts: renewKeys, whileBlocked: 'refused' },
  summary: 'New licence keys for many hosts',
  description:
    'New licence keys, as for one host, with the result for each in the order asked. With `for` the hosts of an account that lets you act for it. A host that is not there is 404 for all',
  body: z.strictObject({
    host_ids: z
      .array(hostId)
      .check(z.minLength(1), z.maxLength(MOST_KEYS, 'invalid'), z.refine(areApart, { error: 'invalid' })),
    at_once: z.boolean(),
  }),
  replies: { 200: z.strictObject({ servers: z.array(renewedKey) }) },
  errors: { 400: ['invalid'], 403: ['not_allowed_for_role'], 404: ['not_found'] },
})
