import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import * as queries from './event-queries.ts'
import type { EarlyEvent, PaymentEvent } from './event-queries.ts'
import { arriveForGuest, failGuest } from './guest-payments.ts'
import type { OddEvent, ProviderEvent } from './provider-event.ts'
import { refundedByHand, refundReported, savedMethodCharged } from '#features/finance/contract.ts'
import { emit } from '#foundation/server/events.ts'
import { settle } from './settle.ts'
import { lockTopUp, setPayment, topUpByPayment, topUpByPublicId, type TopUpRow } from './top-up-queries.ts'
import { keepUnbooked } from './unbooked-events.ts'

/** Puts an odd event on the list of staff, once. */
export const setAside = (app: App, { provider, event_id, kind, reason }: OddEvent): Promise<void> =>
  transaction(app, 'system', (tx) => {
    const unknown = { payment_reference: null, amount: null, currency: null, taken_by: null }
    return keepUnbooked(tx, { provider, event_id, kind, reason, ...unknown }, 'unreadable', {})
  })

/**
 * Ingests an event of a provider exactly once, in one transaction with all that follows from it: the provider
 * sends an interrupted event again, and a repeated event changes nothing.
 */
export const ingestEvent = (app: App, told: ProviderEvent): Promise<void> =>
  transaction(app, 'system', async (tx) => void (await ingestEventIn(app, tx, told)))

/** Ingests an event in the caller's transaction. Returns false for a repeated event. */
export async function ingestEventIn(
  app: App,
  tx: Tx,
  { top_up, payout = null, stopsMethod = false, wasTried = false, isByHand = false, ...event }: ProviderEvent,
): Promise<boolean> {
  const { provider, payment_reference } = event
  // A payment and its dispute may arrive at the same moment: one of the two must see the other.
  if (payment_reference !== null) await lockByName(tx, `payment:${provider}:${payment_reference}`)
  const known = await find(tx, provider, top_up, payment_reference)
  const isOfGuest = !known && event.kind === 'paid' && payout === null
  const found = known ?? (isOfGuest ? await arriveForGuest(app, tx, { top_up, ...event }) : undefined)
  if (!(await queries.insertEvent(tx, { ...event, stops_method: stopsMethod }, found?.id ?? null)))
    return false
  if (payout !== null) {
    await queries.settleEvent(tx, event, [])
    const { event_id, taken_by = null, amount, currency, reason } = event
    const told = { provider, event_id, taken_by, payment_reference, amount, currency, reason }
    const kind = event.kind === 'reinstated' ? 'failed' : 'sent'
    await emit(app, tx, refundReported, { ...told, payout, kind, top_up_id: found?.id ?? null })
    return true
  }
  if (!found) {
    // It may be of another shop that shares the account; a person sees it, unless its payment comes.
    if (event.kind === 'failed') await failGuest(app, tx, { provider, top_up, wasTried })
    else await keepUnbooked(tx, event, 'unknown_payment', {})
    return true
  }
  const topUp = await lockTopUp(tx, found.id)
  const early = await adoptEarly(tx, topUp, event)
  if (isByHand) await tellOfRefund(app, tx, topUp, event)
  await settle(app, tx, topUp)
  if (topUp.method_id === null) return true
  await tellOfCharge(app, tx, topUp, { ...event, stopsMethod })
  // A dispute that came before its payment found no method that it could stop.
  for (const { kind, reason, stops_method } of early)
    await tellOfCharge(app, tx, topUp, { kind, reason, stopsMethod: stops_method })
  return true
}

/** Keeps the reference of a payment that is told for the first time, and returns the events that have named it before. */
async function adoptEarly(
  tx: Tx,
  topUp: TopUpRow,
  { kind, provider, payment_reference }: PaymentEvent,
): Promise<EarlyEvent[]> {
  if (kind !== 'paid' || payment_reference === null || topUp.payment_reference !== null) return []
  await setPayment(tx, topUp.id, payment_reference)
  return queries.adoptEvents(tx, provider, payment_reference, topUp.id)
}

/** Lets the feature that asked for a refund of this payment take one that was made on the provider's page for its own, before it is booked. */
async function tellOfRefund(
  app: App,
  tx: Tx,
  { id: top_up_id }: TopUpRow,
  { provider, event_id, kind, taken_by, amount, currency, reason }: Omit<ProviderEvent, 'top_up'>,
): Promise<void> {
  if (!taken_by || amount === null || currency === null) return
  const isBack = kind === 'reinstated'
  await emit(app, tx, refundedByHand, {
    top_up_id,
    provider,
    event_id,
    taken_by,
    isBack,
    amount,
    currency,
    reason,
  })
}

async function tellOfCharge(
  app: App,
  tx: Tx,
  { id, user_id, public_id: top_up, method_id, amount }: TopUpRow,
  { kind, reason, stopsMethod }: Pick<ProviderEvent, 'kind' | 'reason'> & { stopsMethod: boolean },
): Promise<void> {
  const { status } = await lockTopUp(tx, id)
  const told = { user_id, top_up, method_id: must(method_id), amount, kind, status, reason, stopsMethod }
  await emit(app, tx, savedMethodCharged, told)
}

async function find(
  tx: Tx,
  provider: string,
  top_up: string | null,
  payment_reference: string | null,
): Promise<TopUpRow | undefined> {
  const found = top_up === null ? undefined : await topUpByPublicId(tx, top_up)
  if (found) return found.provider === provider ? found : undefined
  return payment_reference === null ? undefined : topUpByPayment(tx, provider, payment_reference)
}
