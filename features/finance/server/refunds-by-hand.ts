import type { Tx } from '#foundation/server/database/transaction.ts'
import { settleEvent, type PaymentEvent } from './event-queries.ts'
import { closeUnbooked } from './unbooked-events.ts'

type Named = Pick<PaymentEvent, 'provider' | 'event_id'>

/** The events of a transaction that came while another refund of their payment was under way. */
const underWay = new WeakMap<Tx, Set<string>>()

/** Settles the event of a refund by hand without a booking: the balance has given its money already. */
export async function takeRefund(tx: Tx, event: Named): Promise<void> {
  await settleEvent(tx, event, [])
  await closeUnbooked(tx, event)
}

/** Notes that a refund of the same payment is under way, which is not the one of this event: staff are told so if money lacks. */
export function noteUnderWay(tx: Tx, { event_id }: Named): void {
  underWay.set(tx, (underWay.get(tx) ?? new Set()).add(event_id))
}

export const isUnderWay = (tx: Tx, { event_id }: Named): boolean => underWay.get(tx)?.has(event_id) === true
