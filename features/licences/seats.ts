import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { pastedKey } from '#foundation/fields.ts'
import { count, named, time } from '#foundation/printed.ts'
import { fingerprint } from './machines.ts'

/** Floating seats: a machine holds one for some minutes, extends it by asking again, and gives it back, or lets it run out. */

/**
 * The seat that the machine holds. The seconds count from the answer, so they hold on a machine with a wrong clock; the times are those of
 * the server.
 */
export const lease = z.strictObject({
  until: time(),
  /** When to ask again at the latest, half of the lease before its end. */
  renew_at: time(),
  lasts_s: count(),
  renew_in_s: count(),
})
named('Lease', lease)
export type Lease = z.infer<typeof lease>

export const releaseSeat = route({
  id: 'releaseSeat',
  tag: 'Licences',
  method: 'POST',
  path: '/api/licences/release/',
  access: { who: 'anyone' },
  limits: ['validation'],
  summary: 'Release the seat that a machine holds',
  description:
    'Release the floating seat that a machine holds, so that another may take it at once. A seat that nobody holds is no error',
  body: z.strictObject({
    licence_key: pastedKey(64),
    fingerprint,
    /** As it was sent when the seat was taken. */
    boot: z.optional(fingerprint),
  }),
  replies: {
    /** False if the machine held no seat, or if no licence has the key. */
    200: z.strictObject({ released: z.boolean() }),
  },
})
