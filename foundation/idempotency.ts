import * as z from 'zod/mini'
import { opaqueText } from './fields.ts'

/**
 * The header of calls that move money or create things: `headers: idempotencyKey`. A caller makes up one key for one
 * intention (a UUID, say) and sends it again with each retry; the effect happens once, and each retry gets the first answer again.
 */
export const idempotencyKey = z.object({ 'idempotency-key': opaqueText(255) })

/** The same header, for calls that may leave it out. Without it each request takes effect. */
export const optionalIdempotencyKey = z.object({ 'idempotency-key': z.optional(opaqueText(255)) })
