import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { SavedDetails } from '#features/finance/method-events.ts'
import type { MethodKind } from '#features/finance/rules.ts'
import { toMollie, type MollieMoney } from './mollie-amounts.ts'
import { addressOfCalls } from './mollie-calls.ts'
import { askMollie, MollieRefusal } from './mollie-client.ts'
import { nameIn } from './mollie-payment.ts'
import type { AnyEvent, Provider } from './provider.ts'
import { givesDebitMandate, waysOn } from './mollie-ways.ts'

/** The kinds of mandates that Mollie keeps; direct debits are in euros alone. */
export const mollieMethodKinds: Required<Provider>['methodKinds'] = ({ config: { currency, mollie } }) =>
  mollie.apiKey === undefined || toMollie(0n, currency) === undefined
    ? []
    : currency === 'EUR'
      ? ['card', 'sepa_debit', 'paypal']
      : ['card', 'paypal']

const made = z.object({ id: z.string().check(z.regex(/^[a-z]+_\w{4,60}$/)) })
const page = z.object({ _links: z.object({ checkout: z.object({ href: z.url({ protocol: /^https$/ }) }) }) })

/**
 * Begins a first payment, whose mandate is the method: over nothing by card and PayPal, over one cent by a bank, which Mollie wants. The cent is
 * the operator's, and is on no balance. Each method has a customer of its own at Mollie, without a name.
 */
export const saveByMollie: Required<Provider>['saveMethod'] = async (app, { id, kind }, back) => {
  try {
    const { config } = app
    const [amount, method] = await firstPayment(app, kind)
    const once = (act: string) => ({ method: 'POST' as const, once: `${act}-${id}` })
    const customer = await askMollie(config, 'customers', {
      ...once('customer'),
      body: { metadata: { method: id } },
    })
    const body = {
      amount,
      method,
      sequenceType: 'first',
      customerId: made.parse(customer).id,
      description: config.operator.name.slice(0, 255),
      redirectUrl: back,
      cancelUrl: back,
      webhookUrl: addressOfCalls(app, id),
      metadata: { method: id },
    }
    return page.parse(await askMollie(config, 'payments', { ...once('first'), body }))._links.checkout.href
  } catch (error) {
    app.log.error({ err: error }, 'finance: mollie makes no first payment')
    throw new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)
  }
}

async function firstPayment({ config }: App, kind: MethodKind): Promise<[MollieMoney, string | string[]]> {
  const { currency } = config
  const cents = (amount: bigint) => toMollie(amount, currency) ?? { currency, value: '0' }
  if (kind === 'card') return [cents(0n), 'creditcard']
  if (kind === 'paypal') return [cents(0n), 'paypal']
  const ways = (await waysOn(config, cents(1n), true)).filter((way) => givesDebitMandate.has(way))
  if (ways.length === 0) throw new Error('no way of the account at Mollie gives a mandate for direct debits')
  return [cents(1n), ways]
}

const first = z.object({
  id: z.string(),
  status: z.string(),
  sequenceType: z.literal('first'),
  customerId: made.shape.id,
  mandateId: made.shape.id,
  metadata: z.optional(z.unknown()),
})

const text = z.optional(z.nullable(z.string()))
const mandate = z.object({
  id: made.shape.id,
  status: z.enum(['valid', 'pending', 'invalid']),
  method: z.enum(['creditcard', 'directdebit', 'paypal']),
  details: z.object({
    cardNumber: text,
    cardLabel: text,
    cardExpiryDate: text,
    cardFingerprint: text,
    consumerAccount: text,
  }),
  mandateReference: text,
})

/**
 * Returns the method that a first payment has saved; none while it is not paid. The mandate is asked for: a payment does not show what Mollie
 * keeps. Undefined for a payment that saves nothing.
 */
export async function savedBy(app: App, answer: unknown): Promise<AnyEvent[] | undefined> {
  const method = nameIn(
    z.object({ metadata: z.optional(z.unknown()) }).safeParse(answer).data?.metadata,
    'method',
  )
  if (method === null) return undefined
  const { data: payment } = first.safeParse(answer)
  if (payment?.status !== 'paid') return []
  const { customerId, mandateId } = payment
  const kept = mandate.parse(await askMollie(app.config, `customers/${customerId}/mandates/${mandateId}`))
  if (kept.status === 'invalid' || kept.id !== mandateId) return []
  const saved = { ...detailsOf(kept), provider_ref: kept.id, customer_ref: customerId }
  return [{ provider: 'mollie', event_id: `${payment.id}.saved`, kind: 'method_saved', method, saved }]
}

function detailsOf({
  method,
  details: { cardNumber, cardLabel, cardExpiryDate, cardFingerprint, consumerAccount },
  mandateReference,
}: z.infer<typeof mandate>): Omit<SavedDetails, 'provider_ref' | 'customer_ref'> {
  const nothing = { fingerprint: '', brand: '', last4: '', expires: null, mandate_ref: null }
  if (method === 'paypal') return { ...nothing, kind: 'paypal' }
  if (method === 'directdebit')
    return {
      ...nothing,
      kind: 'sepa_debit',
      last4: endOf(consumerAccount),
      mandate_ref: mandateReference ?? null,
    }
  const [expires = null] = /^\d{4}-\d\d-\d\d$/.exec(cardExpiryDate ?? '') ?? []
  const fingerprint = cardFingerprint ?? ''
  return { ...nothing, fingerprint, kind: 'card', brand: cardLabel ?? '', last4: endOf(cardNumber), expires }
}

const endOf = (number: string | null | undefined): string => (number ?? '').slice(-4)

/** Revokes the mandate and deletes the customer whose it was; what Mollie does not know is forgotten. */
export const forgetByMollie: Required<Provider>['forgetMethod'] = async (
  { config },
  { customer_ref, provider_ref },
) => {
  for (const path of [`customers/${customer_ref}/mandates/${provider_ref}`, `customers/${customer_ref}`])
    try {
      await askMollie(config, path, { method: 'DELETE' })
    } catch (error) {
      if (!(error instanceof MollieRefusal && [404, 410].includes(error.status))) throw error
    }
}
