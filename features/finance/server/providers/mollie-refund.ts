import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import { toMollie } from './mollie-amounts.ts'
import { askMollie, MollieRefusal } from './mollie-client.ts'
import { nameIn } from './mollie-payment.ts'
import type { RefundAnswer, WantedRefund } from './provider.ts'

const made = z.object({ id: z.string(), status: z.string(), metadata: z.optional(z.unknown()) })
const list = z.object({ _embedded: z.object({ refunds: z.array(made) }) })

/**
 * Gives a payment back by Mollie's refunds. Mollie knows a key for an hour, so a refund that may stand already is looked for by the payout in
 * its metadata first. Mollie's words that this payment cannot be refunded so are definite; everything else is thrown, and tried again: so is
 * that a refund which Mollie has taken is not there. Mollie keeps one that was cancelled, and calls nobody about it.
 */
export async function refundByMollie(
  app: App,
  { payment_reference, currency }: TopUpRow,
  { payout, amount, isAgain, reference }: WantedRefund,
): Promise<RefundAnswer> {
  const counted = toMollie(amount, currency)
  if (payment_reference === null || counted === undefined)
    return { state: 'refused', reference: null, reason: '' }
  const path = `payments/${encodeURIComponent(payment_reference)}/refunds`
  const known = isAgain ? await refundFor(app, path, payout) : undefined
  if (known) return answerOf(known)
  if (reference !== null) throw new Error(`Mollie does not know the refund ${reference}`)
  try {
    const body = {
      amount: counted,
      description: app.config.operator.name.slice(0, 255),
      metadata: { payout },
    }
    const answer = await askMollie(app.config, path, { method: 'POST', body, once: `refund-${payout}` })
    return answerOf(made.parse(answer))
  } catch (error) {
    if (!(error instanceof MollieRefusal && DEFINITE.has(error.status))) throw error
    app.log.warn({ err: error }, 'finance: mollie refuses a refund')
    return { state: 'refused', reference: null, reason: '' }
  }
}

/** A 409 says that the same was asked a moment ago; a key that is wrong, and too many requests, may be right in an hour. */
const DEFINITE = new Set([400, 404, 410, 422])

async function refundFor(app: App, path: string, payout: string) {
  const { refunds } = list.parse(await askMollie(app.config, `${path}?limit=250`))._embedded
  return refunds.find(({ metadata }) => nameIn(metadata, 'payout') === payout)
}

function answerOf({ id, status }: z.infer<typeof made>): RefundAnswer {
  if (status === 'refunded') return { state: 'sent', reference: id, reason: '' }
  if (status === 'failed' || status === 'canceled') return { state: 'refused', reference: id, reason: '' }
  return { state: 'under_way', reference: id, reason: '' }
}
