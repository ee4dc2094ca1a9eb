import * as z from 'zod/mini'
import type { FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { topUpByPublicId, type TopUpRow } from '../top-up-queries.ts'
import { toMollie } from './mollie-amounts.ts'
import { askMollie, MollieRefusal } from './mollie-client.ts'
import { eventsOf, paymentId } from './mollie-payment.ts'
import { refundByMollie } from './mollie-refund.ts'
import { mollieReadiness } from './mollie-readiness.ts'
import type { Provider } from './provider.ts'

/** PayPal, iDEAL, SEPA, cards and what else is on in an account at Mollie, on Mollie's own page. */
export const mollie: Provider = {
  name: 'mollie',
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
   * A call of Mollie bears no signature and says one id. It is a hint to ask: the authority is what Mollie answers to our key. The address of
   * a payment's calls names its top-up, which nobody can guess; without it nothing is asked. The attack is a flood of made-up ids, each of
   * which would cost a request. An id that is not there gets the answer of all others, as Mollie advises.
   */
  async readEvent(app, request) {
    const { top_up, id } = namedIn(request)
    if (top_up === undefined || id === undefined) return undefined
    if ((await topUpByPublicId(app.db, top_up))?.provider !== 'mollie') return undefined
    const attempt = await count(app, app.db, 'payment_call', top_up)
    if (!attempt.allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], attempt.retry_after_s)
    try {
      return eventsOf(id, await askMollie(app.config, `payments/${id}?embed=refunds,chargebacks`))
    } catch (error) {
      if (error instanceof MollieRefusal && (error.status === 404 || error.status === 410)) return undefined
      // Mollie calls again, ten times within a day.
      app.log.error({ err: error }, 'finance: mollie does not say what became of a payment')
      throw unavailable()
    }
  },
  refund: refundByMollie,
  readiness: mollieReadiness,
}

const page = z.object({ _links: z.object({ checkout: z.object({ href: z.url({ protocol: /^https$/ }) }) }) })
const unavailable = () => new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)

const called = z.object({
  query: z.object({ of: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))) }),
  body: z.object({ id: z.optional(paymentId) }),
})

function namedIn({ query, body }: FastifyRequest): { top_up?: string | undefined; id?: string | undefined } {
  const { data } = called.safeParse({ query, body })
  return { top_up: data?.query.of, id: data?.body.id }
}

function paymentFor({ config }: App, { amount, currency, public_id }: TopUpRow, back: string): object {
  const counted = toMollie(amount, currency)
  if (counted === undefined) throw new Error(`mollie cannot charge ${amount} of ${currency}`)
  return {
    amount: counted,
    description: config.operator.name.slice(0, 255),
    redirectUrl: back,
    cancelUrl: back,
    webhookUrl: `${config.publicOrigin}/api/payments/mollie/events/?of=${public_id}`,
    metadata: { top_up: public_id },
  }
}
