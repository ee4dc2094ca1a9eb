import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import { toMollie } from './mollie-amounts.ts'
import { addressOfCalls, provenCall } from './mollie-calls.ts'
import { askMollie, MollieRefusal } from './mollie-client.ts'
import { chargeByMollie, endByMollie } from './mollie-charges.ts'
import { forgetByMollie, mollieMethodKinds, savedBy, saveByMollie } from './mollie-methods.ts'
import { eventsOf } from './mollie-payment.ts'
import { refundByMollie } from './mollie-refund.ts'
import { mollieReadiness } from './mollie-readiness.ts'
import type { Provider } from './provider.ts'

/** PayPal, iDEAL, SEPA, cards and what else is on in an account at Mollie, on Mollie's own page. */
export const mollie: Provider = {
  name: 'mollie',
  hasKey: (config) => config.mollie.apiKey !== undefined,
  fixesAmount: true,
  canCharge: (amount, currency) => toMollie(amount, currency) !== undefined,
  async begin(app, topUp, back) {
    if (topUp.redirect_url !== null) return topUp.redirect_url
    try {
      const body = paymentFor(app, topUp, back)
      const answer = await askMollie(app.config, 'payments', { method: 'POST', body, once: topUp.public_id })
      return page.parse(answer)._links.checkout.href
    } catch (error) {
      app.log.error({ err: error }, 'finance: mollie makes no payment')
      throw unavailable()
    }
  },
  /**
   * A call of Mollie is a hint to ask: the authority is what Mollie answers to our key. An id that is not there, and a call that nobody at
   * Mollie made, get the answer of all others, as Mollie advises.
   */
  async readEvent(app, request) {
    const call = provenCall(app, request)
    if (!call) return undefined
    const attempt = await count(app, app.db, 'payment_call', call.of)
    if (!attempt.allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], attempt.retry_after_s)
    try {
      const answer = await askMollie(app.config, `payments/${call.id}?embed=refunds,chargebacks`)
      return (await savedBy(app, answer)) ?? eventsOf(call.id, answer)
    } catch (error) {
      if (error instanceof MollieRefusal && (error.status === 404 || error.status === 410)) return undefined
      // Mollie calls again, ten times within a day.
      app.log.error({ err: error }, 'finance: mollie does not say what became of a payment')
      throw unavailable()
    }
  },
  refund: refundByMollie,
  methodKinds: mollieMethodKinds,
  saveMethod: saveByMollie,
  charge: chargeByMollie,
  endCharge: endByMollie,
  forgetMethod: forgetByMollie,
  readiness: mollieReadiness,
}

const page = z.object({ _links: z.object({ checkout: z.object({ href: z.url({ protocol: /^https$/ }) }) }) })
const unavailable = () => new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)

function paymentFor(app: App, { amount, currency, public_id }: TopUpRow, back: string): object {
  const counted = toMollie(amount, currency)
  if (counted === undefined) throw new Error(`mollie cannot charge ${amount} of ${currency}`)
  return {
    amount: counted,
    description: app.config.operator.name.slice(0, 255),
    redirectUrl: back,
    cancelUrl: back,
    webhookUrl: addressOfCalls(app, public_id),
    metadata: { top_up: public_id },
  }
}
