import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { signedText } from '#foundation/server/http/bodies.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { MethodEvent } from '#features/finance/method-events.ts'
import type { ProviderEvent } from '../provider-event.ts'
import { detailsOf, isTestMethod } from './test-methods.ts'

const id = z.string().check(z.minLength(1), z.maxLength(200))

/** Events of the test provider's page: signed, as a real provider's events are. */
const payment = z.strictObject({
  id,
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
  reason: z.optional(z.string().check(z.maxLength(100))),
  /** True of a dispute, and of a decline for good. */
  stops_method: z.optional(z.boolean()),
})
const methodSaved = z.strictObject({
  id,
  kind: z.literal('method_saved'),
  method: z.string(),
  saved: z.string().check(z.refine(isTestMethod)),
  fingerprint: z.optional(z.string().check(z.maxLength(100))),
})
const methodGone = z.strictObject({ id, kind: z.literal('method_gone'), provider_ref: z.string() })

const event = z.union([payment, methodSaved, methodGone])
/** An event of a payment, and one of a saved method. */
export type TestEvent = z.infer<typeof payment>
export type TestMethodEvent = z.infer<typeof methodSaved> | z.infer<typeof methodGone>

export const SIGNATURE_HEADER = 'x-test-signature'

/** Reads an event of the test provider that came over the network. Throws 400 `bad_signature`. */
export async function readTestEvent(
  app: App,
  request: FastifyRequest,
): Promise<ProviderEvent | MethodEvent | undefined> {
  return readSigned(app, signedText(request), request.headers[SIGNATURE_HEADER])
}

type Take = (app: App, told: ProviderEvent | MethodEvent) => Promise<void>
let take: Take | undefined

/** Names the receiver of all events, for charges, whose events do not come over the network. */
export function deliverTestEventsTo(receiver: Take): void {
  take = receiver
}

/** Sends an event the way of those that come over the network: signed, and judged by its signature. */
export async function sendTestEvent(app: App, told: TestEvent): Promise<void> {
  const text = JSON.stringify(told)
  const read = readSigned(app, text, signTestEvent(app, text))
  if (read) await take?.(app, read)
}

function readSigned(app: App, text: string, signature: unknown): ProviderEvent | MethodEvent | undefined {
  if (app.config.production || !isSigned(app, text, signature)) throw badRequest('bad_signature')
  const told = event.safeParse(text === '' ? undefined : JSON.parse(text))
  return told.success ? toEvent(told.data) : undefined
}

function toEvent(told: TestEvent | TestMethodEvent): ProviderEvent | MethodEvent {
  const base = { provider: 'test', event_id: told.id } as const
  if (told.kind === 'method_gone') return { ...base, kind: told.kind, provider_ref: told.provider_ref }
  if (told.kind === 'method_saved')
    return {
      ...base,
      kind: told.kind,
      method: told.method,
      saved: detailsOf(told.saved, told.method, told.fingerprint),
    }
  const { kind, top_up, amount, currency = null, paid_from = null, payout = null, reason = '' } = told
  return {
    ...base,
    kind,
    top_up,
    payment_reference: null,
    amount: amount === undefined ? null : BigInt(amount),
    currency,
    paid_from,
    payout,
    reason,
    stopsMethod: told.stops_method ?? false,
  }
}

/** Returns the signature of a test event (its body as text), for the header SIGNATURE_HEADER. */
export const signTestEvent = ({ keys }: Pick<App, 'keys'>, text: string): string =>
  createHmac('sha256', keys.digests).update(`payment-event:${text}`).digest('hex')

function isSigned(app: App, text: string, given: unknown): boolean {
  const right = Buffer.from(signTestEvent(app, text))
  const sent = Buffer.from(typeof given === 'string' ? given : '')
  return sent.length === right.length && timingSafeEqual(sent, right)
}
