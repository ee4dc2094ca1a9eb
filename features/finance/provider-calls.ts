import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { eventProviders } from './rules.ts'

const word = z.string().check(z.maxLength(64))

/** The call of payment providers, which nobody else makes. */
export const takePaymentEvent = route({
  id: 'takePaymentEvent',
  tag: 'Payment providers',
  method: 'POST',
  path: '/api/payments/{provider}/events/',
  access: { who: 'anyone' },
  summary: 'Receive events of a payment provider',
  description:
    'Receive events of a payment provider, signed in its own way; a replay is answered 200 too. Mollie sends a form that only names a payment, which it is asked about.',
  requestType: 'form',
  params: z.strictObject({ provider: z.enum(eventProviders) }),
  query: z.object({ of: z.optional(word), proof: z.optional(word) }),
  replies: { 200: z.strictObject({ received: z.literal(true) }) },
  errors: { 400: ['bad_signature'], 429: ['too_many_requests'], 503: ['payment_provider_unavailable'] },
})
