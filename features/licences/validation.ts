import * as z from 'zod/mini'
import { opaqueText, pastedKey, requiredText } from '#foundation/fields.ts'
import { time } from '#foundation/printed.ts'
import { fingerprint } from './machines.ts'
import { lease } from './seats.ts'
import { entitlements, ipv4, ipv6 } from '#features/hosts/contract.ts'

/**
 * `valid` if a licence counts for the caller, otherwise the first reason in this order why it does not. `machine_unnamed`: the licence floats,
 * and its seats are for machines that send their `fingerprint`.
 */
const validationCodes = [
  'not_found',
  'other_product',
  'suspended',
  'free',
  'expired',
  'address_mismatch',
  'machine_unnamed',
  'too_many_machines',
  'entitlement_missing',
  'valid',
] as const

const MOST_ASKED = 50

export const validationRequest = z.strictObject({
  licence_key: pastedKey(64),
  /** The product that asks: the key of another one is not valid. Vendors of several products name theirs. */
  product: z.optional(requiredText(64)),
  /** The addresses of the machine that asks. One of them has to match; without any, no address is compared, nor for a program. */
  ipv4: z.optional(ipv4),
  ipv6: z.optional(ipv6),
  /** Tells machines with the same licence apart: SHA-256 of a document's `sub` and the machine's id. Without it, no machine is counted. */
  fingerprint: z.optional(fingerprint),
  /** Tells machines apart that share their id, as clones do: SHA-256 of a document's `sub` and the id of the boot. */
  boot: z.optional(fingerprint),
  /** A name by which the customer knows the machine in the list of machines. */
  hostname: z.optional(requiredText(253)),
  /** Keys that must be allowed: true, above zero, or a text that is not empty. */
  entitlements: z.optional(z.array(requiredText(63)).check(z.maxLength(MOST_ASKED, 'invalid'))),
  /** A value that is repeated in the answer and in the document, so that the caller can tell a replayed old answer. */
  nonce: z.optional(opaqueText(128)),
})

/** The answer to a validation. It tells nothing about the host's owner, name or address, except for the address in the document. */
export const validation = z.strictObject({
  valid: z.boolean(),
  code: z.enum(validationCodes),
  /** The product; left out for the product `server`. */
  product: z.optional(z.string()),
  /** The edition of the present period; null without one. */
  edition: z.nullable(z.string()),
  entitlements,
  paid_until: z.nullable(time()),
  /** The seat that the machine holds; null if it holds none, or if the licence does not float. */
  lease: z.nullable(lease),
  /**
   * The signed licence. It bears the address, so only a caller who has named the right address gets it, or anybody if the server has none; for a program, who names
   * the machine. For a
   * seat it ends with the lease.
   */
  document: z.nullable(z.string()),
  nonce: z.nullable(z.string()),
})
export type Validation = z.infer<typeof validation>
