import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { digestKeys } from '#foundation/server/keys.ts'
import { paymentId } from './mollie-shapes.ts'

/**
 * Returns the address that Mollie calls when a payment changes. It names what the payment is for by its public id, and proves that it was made
 * here. The attack is a flood of made-up ids, each of which would cost a request to Mollie.
 */
export const addressOfCalls = ({ config, keys }: App, of: string): string =>
  `${config.publicOrigin}/api/payments/mollie/events/?of=${of}&proof=${proofOf(keys.digests, of)}`

const called = z.object({
  query: z.object({
    of: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
    proof: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  }),
  body: z.object({ id: paymentId }),
})

/** Returns all that is believed of a call of Mollie, which bears no signature: where it went, and an id to ask for. Undefined for any other call. */
export function provenCall(
  { keys }: App,
  { query, body }: FastifyRequest,
): { of: string; id: string } | undefined {
  const { data } = called.safeParse({ query, body })
  if (!data) return undefined
  const { of, proof } = data.query
  // The key may have been changed since the address was told: a bank may take a payment back for 13 months.
  const isOurs = digestKeys(keys).some((key) =>
    timingSafeEqual(Buffer.from(proofOf(key, of)), Buffer.from(proof)),
  )
  return isOurs ? { of, id: data.body.id } : undefined
}

const proofOf = (key: Uint8Array, of: string): string =>
  createHmac('sha256', key).update(`mollie-call:${of}`).digest('base64url').slice(0, 22)
