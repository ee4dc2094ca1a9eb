import * as z from 'zod/mini'
import type { OddEvent, ProviderEvent } from '../provider-event.ts'
import { declineOf } from './mollie-declines.ts'
import { fromMollie, type MollieMoney } from './mollie-amounts.ts'
import {
  molliePayment,
  type MollieChargeback,
  type MolliePayment,
  type MollieRefund,
} from './mollie-shapes.ts'

type Told = ProviderEvent | OddEvent

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
  return [
    told(payment, 'failed', `${name}.failed`, amount, {
      reason,
      stopsMethod: isFinal,
      wasTried: status === 'failed',
    }),
  ]
}

/**
 * A refund that a payout asked for has left the balance already: it counts once it is done. One that somebody made at Mollie takes money as
 * soon as nobody can cancel it any more; Mollie calls for no earlier state.
 */
function ofRefund(payment: MolliePayment, { id: name, amount, status, metadata }: MollieRefund): Told[] {
  const payout = nameIn(metadata, 'payout')
  const asked = { taken_by: name, ...(payout === null ? { isByHand: true } : { payout }) }
  const taken = () => told(payment, 'charged_back', `${name}.taken`, amount, asked)
  const returned = () => told(payment, 'reinstated', `${name}.returned`, amount, asked)
  if (status === 'refunded') return [taken()]
  if (payout !== null) return status === 'failed' || status === 'canceled' ? [returned()] : []
  if (status === 'processing') return [taken()]
  // The event that took it may have been lost; told twice it is booked once.
  return status === 'failed' ? [taken(), returned()] : []
}

function ofChargeback(payment: MolliePayment, one: MollieChargeback): Told[] {
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
  money: MollieMoney,
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

/** The country of the card, or of the account by its IBAN; PayPal names none. */
function countryOf({ details }: MolliePayment): string | null {
  const [, ofAccount] = /^([A-Z]{2})\d{2}[A-Z0-9]{11,30}$/.exec(details?.consumerAccount ?? '') ?? []
  const [ofCard] = /^[A-Z]{2}$/.exec(details?.cardCountryCode ?? '') ?? []
  return ofCard ?? ofAccount ?? null
}

const shortened = (text: string | null | undefined): string => [...(text ?? '')].slice(0, 200).join('').trim()
