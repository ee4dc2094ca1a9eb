import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import { toMollie } from './mollie-amounts.ts'
import { addressOfCalls } from './mollie-calls.ts'
import { askMollie, MollieRefusal } from './mollie-client.ts'
import { declineOf } from './mollie-declines.ts'
import { nameIn } from './mollie-payment.ts'
import type { ChargeAnswer, SavedMethod } from './provider.ts'

const charge = z.object({
  id: z.string(),
  status: z.string(),
  metadata: z.optional(z.unknown()),
  details: z.optional(z.unknown()),
})
type Charge = z.infer<typeof charge>
const list = z.object({ _embedded: z.object({ payments: z.array(charge) }) })

const nothing = { reference: null, reason: '', isFinal: false, url: null } as const

/**
 * Charges a payment to a mandate, without the customer. Mollie knows a key for an hour, so for an older payment the charge is looked for first
 * among those of the method's customer at Mollie. Such a charge never asks the customer: it is paid, under way or declined.
 */
export async function chargeByMollie(
  app: App,
  topUp: TopUpRow,
  { provider_ref, customer_ref }: SavedMethod,
): Promise<ChargeAnswer> {
  const { amount, currency, public_id, created_at } = topUp
  const counted = toMollie(amount, currency)
  if (counted === undefined) return { ...nothing, state: 'declined', reason: 'amount' }
  const isOld = Date.now() - created_at.getTime() > KEY_IS_SURE_ms
  const known = isOld ? await chargeFor(app, customer_ref, public_id) : undefined
  if (known) return answerOf(known)
  const body = {
    amount: counted,
    sequenceType: 'recurring',
    customerId: customer_ref,
    mandateId: provider_ref,
    description: app.config.operator.name.slice(0, 255),
    webhookUrl: addressOfCalls(app, public_id),
    metadata: { top_up: public_id },
  }
  try {
    const answer = await askMollie(app.config, 'payments', {
      method: 'POST',
      body,
      once: `charge-${public_id}`,
    })
    return answerOf(charge.parse(answer))
  } catch (error) {
    if (!(error instanceof MollieRefusal && [400, 404, 410, 422].includes(error.status))) throw error
    app.log.warn({ err: error }, 'finance: mollie refuses a charge')
    // A mandate that is gone or invalid is named as the field that is wrong; an amount above the limit of a bank is another field.
    const isFinal = error.status === 410 || ['mandateId', 'customerId'].includes(error.field)
    return { ...nothing, state: 'declined', reason: isFinal ? 'mandate' : error.field, isFinal }
  }
}

/** Returns what became of the charge of a payment; undefined if none was made. */
export async function endByMollie(
  app: App,
  { public_id }: TopUpRow,
  { customer_ref }: SavedMethod,
): Promise<ChargeAnswer | undefined> {
  const made = await chargeFor(app, customer_ref, public_id)
  return made && answerOf(made)
}

const KEY_IS_SURE_ms = 30 * 60_000

async function chargeFor(app: App, customer: string, top_up: string): Promise<Charge | undefined> {
  const { payments } = list.parse(
    await askMollie(app.config, `customers/${customer}/payments?limit=250`),
  )._embedded
  return payments.find(({ metadata }) => nameIn(metadata, 'top_up') === top_up)
}

function answerOf({ id, status, details }: Charge): ChargeAnswer {
  if (status === 'paid') return { ...nothing, state: 'paid', reference: id }
  if (status !== 'failed' && status !== 'canceled' && status !== 'expired')
    return { ...nothing, state: 'under_way', reference: id }
  return { ...nothing, state: 'declined', reference: id, ...declineOf(details) }
}
