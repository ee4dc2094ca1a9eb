import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { signedText } from '#foundation/server/http/bodies.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { Provider } from './provider.ts'

/** Events of the test provider's page: signed, as a real provider's events are. */
const event = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  kind: z.enum(['paid', 'failed', 'charged_back', 'reinstated']),
  top_up: z.string(),
  /** The amount in minor units; by default the whole amount of the top-up. */
  amount: z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/))),
  /** The currency; by default that of the top-up. */
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  /** The country of the card, as the payment's page asks for it. */
  paid_from: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/))),
  /** The payout that asked for this refund. */
  payout: z.optional(z.string()),
})
export type TestEvent = z.infer<typeof event>

export const SIGNATURE_HEADER = 'x-test-signature'

/** Accepts payments without money, to try the product out: a page of our own instead of a bank's. Never in production. */
export const test: Provider = {
  name: 'test',
  begin: async (_app, { public_id }) => `/dev/pay/${public_id}`,
  refund: async (_app, _payment, { payout }) => ({ state: 'sent', reference: `test-${payout}`, reason: '' }),
  async readEvent(app, request) {
    const text = signedText(request)
    if (app.config.production || !isSigned(app, text, request.headers[SIGNATURE_HEADER]))
      throw badRequest('bad_signature')
    const told = event.safeParse(request.body)
    if (!told.success) return undefined
    const { id, kind, top_up, amount, currency = null, paid_from = null, payout = null } = told.data
    return {
      provider: 'test',
      event_id: id,
      kind,
      top_up,
      payment_reference: null,
      amount: amount === undefined ? null : BigInt(amount),
      currency,
      paid_from,
      payout,
      reason: '',
    }
  },
}

/** Returns the signature of a test event (its body as text), for the header SIGNATURE_HEADER. */
export const signTestEvent = ({ keys }: Pick<App, 'keys'>, text: string): string =>
  createHmac('sha256', keys.digests).update(`payment-event:${text}`).digest('hex')

function isSigned(app: App, text: string, given: string | string[] | undefined): boolean {
  const right = Buffer.from(signTestEvent(app, text))
  const sent = Buffer.from(typeof given === 'string' ? given : '')
  return sent.length === right.length && timingSafeEqual(sent, right)
}
