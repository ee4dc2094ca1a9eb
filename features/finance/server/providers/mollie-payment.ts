import * as z from 'zod/mini'
import type { OddEvent, ProviderEvent } from '../provider-event.ts'
import { fromMollie, mollieMoney } from './mollie-amounts.ts'

type Told = ProviderEvent | OddEvent

const optionalText = z.optional(z.nullable(z.string()))
const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[A-Za-z0-9]{4,60}$`)))
/** The form of a payment's id: all that is believed of a call of Mollie. */
export const paymentId = id('tr')

const refund = z.object({
  id: id('re'),
  amount: mollieMoney,
  status: z.enum(['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled']),
  metadata: z.optional(z.unknown()),
})
const chargeback = z.object({
  id: id('chb'),
  amount: mollieMoney,
  reason: z.optional(z.nullable(z.object({ description: optionalText }))),
  reversedAt: optionalText,
})
const total = z.optional(z.nullable(mollieMoney))
/** A payment with its refunds and chargebacks, in Mollie's words; only what is read of it. */
const molliePayment = z.object({
  id: paymentId,
  status: z.enum(['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed']),
  amount: mollieMoney,
  amountRefunded: total,
  amountChargedBack: total,
  metadata: z.optional(z.unknown()),
  paidAt: optionalText,
  details: z.optional(
    z.nullable(
      z.object({
        cardCountryCode: optionalText,
        consumerAccount: optionalText,
        bankReason: optionalText,
        bankReasonCode: optionalText,
        failureReason: optionalText,
      }),
    ),
  ),
  _embedded: z.optional(
    z.object({ refunds: z.optional(z.array(refund)), chargebacks: z.optional(z.array(chargeback)) }),
  ),
})
type MolliePayment = z.infer<typeof molliePayment>

/**
 * Returns all that a payment, as Mollie answered it, says of money. Mollie numbers no events, so each gets a name that it has each time it is
 * told, and what was booked is not booked twice. Takings stand before the payment, so that an order does not use money that is gone. A payment that does not say what it must is odd.
 */
export function eventsOf(asked: string, answer: unknown): Told[] {
  const { data: payment } = molliePayment.safeParse(answer)
  if (!payment || payment.id !== asked) return [odd(`${asked}.payment`, 'paid', 'payment')]
  const lists = payment._embedded ?? {}
  const isHidden = (sum: MolliePayment['amountRefunded'], list: readonly unknown[] = []) =>
    sum && list.length === 0 && fromMollie(sum) !== 0n
  return [
    ...(isHidden(payment.amountRefunded, lists.refunds)
      ? [odd(`${asked}.refunds`, 'charged_back', 'amountRefunded')]
      : []),
    ...(isHidden(payment.amountChargedBack, lists.chargebacks)
      ? [odd(`${asked}.chargebacks`, 'charged_back', 'amountChargedBack')]
      : []),
    ...(lists.refunds ?? []).flatMap((one) => ofRefund(payment, one)),
    ...(lists.chargebacks ?? []).flatMap((one) => ofChargeback(payment, one)),
    ...ofPayment(payment),
  ]
}

/** A direct debit may fail days after it was paid: then it takes back all that it gave. */
function ofPayment(payment: MolliePayment): Told[] {
  const { id: name, status, amount, paidAt, details } = payment
  const hasFailed = status === 'failed' || status === 'canceled' || status === 'expired'
  if (status === 'paid' || (hasFailed && paidAt)) {
    const paid = told(payment, 'paid', `${name}.paid`, amount, { paid_from: countryOf(payment) })
    if (status === 'paid') return [paid]
    const reason = shortened(details?.bankReason)
    return [
      told(payment, 'charged_back', `${name}.reversed`, amount, {
        taken_by: name,
        reason,
        stopsMethod: true,
      }),
      paid,
    ]
  }
  if (!hasFailed) return []
  const { reason, isFinal } = declineOf(details)
  return [told(payment, 'failed', `${name}.failed`, amount, { reason, stopsMethod: isFinal })]
}

/**
 * A refund that a payout asked for has left the balance already: it counts once it is done. One that somebody made at Mollie takes money as
 * soon as nobody can cancel it any more; Mollie calls for no earlier state.
 */
function ofRefund(
  payment: MolliePayment,
  { id: name, amount, status, metadata }: z.infer<typeof refund>,
): Told[] {
  const payout = nameIn(metadata, 'payout')
  const asked = { taken_by: name, ...(payout !== null && { payout }) }
  const taken = () => told(payment, 'charged_back', `${name}.taken`, amount, asked)
  const returned = () => told(payment, 'reinstated', `${name}.returned`, amount, asked)
  if (status === 'refunded') return [taken()]
  if (payout !== null) return status === 'failed' || status === 'canceled' ? [returned()] : []
  if (status === 'processing') return [taken()]
  // The event that took it may have been lost; told twice it is booked once.
  return status === 'failed' ? [taken(), returned()] : []
}

function ofChargeback(payment: MolliePayment, one: z.infer<typeof chargeback>): Told[] {
  const more = { taken_by: one.id, reason: shortened(one.reason?.description) }
  const taken = told(payment, 'charged_back', `${one.id}.taken`, one.amount, { ...more, stopsMethod: true })
  if (!one.reversedAt) return [taken]
  return [taken, told(payment, 'reinstated', `${one.id}.returned`, one.amount, more)]
}

/** An event over 0, or over what is no amount, is odd: nothing would be moved, or all of it. */
function told(
  payment: MolliePayment,
  kind: ProviderEvent['kind'],
  event_id: string,
  money: z.infer<typeof mollieMoney>,
  more: Partial<ProviderEvent> = {},
): Told {
  const amount = fromMollie(money)
  if (amount === undefined || amount === 0n) return odd(event_id, kind, 'amount')
  return {
    provider: 'mollie',
    event_id,
    kind,
    top_up: nameIn(payment.metadata, 'top_up'),
    payment_reference: payment.id,
    amount,
    currency: money.currency,
    reason: '',
    ...more,
  }
}

const odd = (event_id: string, kind: ProviderEvent['kind'], reason: string): OddEvent => ({
  provider: 'mollie',
  event_id,
  kind,
  isOdd: true,
  reason,
})

/** Returns the public id of ours that metadata hold under this key; null for none. */
export const nameIn = (metadata: unknown, key: 'top_up' | 'payout' | 'method'): string | null =>
  z.object({ [key]: publicId }).safeParse(metadata).data?.[key] ?? null

const publicId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))

/** Returns Mollie's code of a decline, and if no other charge of the same method can succeed: the card or the account is gone, or its mandate. */
export function declineOf(details: unknown): { reason: string; isFinal: boolean } {
  const { failureReason, bankReasonCode } = reasons.safeParse(details).data ?? {}
  const reason = failureReason ?? bankReasonCode ?? ''
  return { reason, isFinal: final.has(reason) }
}

const code = z.optional(z.nullable(z.string().check(z.regex(/^\w{1,60}$/))))
const reasons = z.object({ failureReason: code, bankReasonCode: code })

// The codes of banks are those of SEPA: AC01 no such account, AC04 closed, AC06 blocked, AG01 no debits, MD01 no mandate, MD07 its holder died.
const final = new Set(
  'card_expired inactive_card invalid_card_number invalid_card_type AC01 AC04 AC06 AG01 MD01 MD07'.split(' '),
)

/** The country of the card, or of the account by its IBAN; PayPal names none. */
function countryOf({ details }: MolliePayment): string | null {
  const [, ofAccount] = /^([A-Z]{2})\d{2}[A-Z0-9]{11,30}$/.exec(details?.consumerAccount ?? '') ?? []
  const [ofCard] = /^[A-Z]{2}$/.exec(details?.cardCountryCode ?? '') ?? []
  return ofCard ?? ofAccount ?? null
}

const shortened = (text: string | null | undefined): string => [...(text ?? '')].slice(0, 200).join('').trim()
