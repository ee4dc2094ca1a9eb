import { guestFailed, guestPaid } from '#features/finance/contract.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import { adoptEvents } from './event-queries.ts'
import * as queries from './guest-queries.ts'
import type { GuestPayment } from './guest-queries.ts'
import type { ProviderEvent } from './provider-event.ts'
import { providerCalled } from './providers/providers.ts'
import { settle } from './settle.ts'
import { insertTopUp, lockTopUp, setPayment, topUpByPublicId, type TopUpRow } from './top-up-queries.ts'

// A payment of somebody without an account (decision 202). It becomes a top-up of the account that its money makes, with the same public id.

/** The ways to pay that take the money at once: a bank transfer could come days after the price has changed. */
export const guestProviders = ({ config }: App): ProviderName[] =>
  config.payments.filter((name) => name !== 'bank')

/** Stores the payment of a purchase. Throws 400 for an amount that is too large or too fine, or a provider that is not offered. */
export async function announceGuest(
  app: App,
  tx: Tx,
  payment: Omit<GuestPayment, 'redirect_url' | 'event_id' | 'currency'>,
): Promise<void> {
  const { topUp, currency } = app.config
  const { provider, amount } = payment
  if (!guestProviders(app).includes(provider)) throw badRequest('provider_not_offered', 'provider')
  if (amount > topUp.max || amount > topUp.balanceCap) throw badRequest('amount_too_large', 'amount')
  if (providerCalled(provider).canCharge?.(amount, currency) === false)
    throw badRequest('amount_too_fine', 'amount')
  await queries.insertGuest(tx, { ...payment, currency })
}

/** Returns the page of the provider for a committed payment; asked again, the same. Throws 503 `payment_provider_unavailable`. */
export async function beginGuest(app: App, public_id: string): Promise<string | null> {
  const guest = await queries.guestOf(app.db, public_id)
  if (!guest || guest.event_id !== null) return null
  const back = `${app.config.publicOrigin}${guest.back}`
  const url = guest.redirect_url ?? (await providerCalled(guest.provider).begin(app, payableOf(guest), back))
  if (url !== null && url !== guest.redirect_url)
    await transaction(app, 'system', (tx) => queries.setGuestRedirect(tx, public_id, url))
  return url
}

/** The payment as providers know payments: they name it by its public id alone, and no customer. */
const payableOf = ({ public_id, provider, amount, currency, redirect_url }: GuestPayment): TopUpRow => ({
  public_id,
  provider,
  amount,
  currency,
  redirect_url,
  id: 0n,
  user_id: '',
  status: 'pending',
  reference: null,
  payment_reference: null,
  for_checkout: true,
  method_id: null,
  charge_reference: null,
  created_at: new Date(),
})

/**
 * Lets the feature that announced a payment make its account, before the event is booked. Returns the top-up; undefined if there is no such
 * payment, or no account takes it yet: then the event is kept for staff.
 */
export async function arriveForGuest(
  app: App,
  tx: Tx,
  { top_up, provider, amount, currency, event_id }: ProviderEvent,
): Promise<TopUpRow | undefined> {
  if (top_up === null) return undefined
  const guest = await queries.lockGuest(tx, top_up)
  // Without the row another transaction has made the top-up meanwhile.
  if (!guest) return topUpByPublicId(tx, top_up)
  const isOther =
    (amount !== null && amount !== guest.amount) ||
    (currency !== null && currency !== guest.currency) ||
    guest.currency !== app.config.currency
  if (guest.provider !== provider || isOther) return undefined
  await emit(app, tx, guestPaid, { public_id: top_up })
  const taken = await topUpByPublicId(tx, top_up)
  if (!taken) await queries.noteGuestEvent(tx, top_up, event_id)
  return taken
}

/** Tells the feature that announced a payment of its failure, unless it was paid by another try. */
export async function failGuest(
  app: App,
  tx: Tx,
  { top_up, provider, wasTried }: Pick<ProviderEvent, 'top_up' | 'provider'> & { wasTried: boolean },
): Promise<void> {
  const guest = top_up === null ? undefined : await queries.lockGuest(tx, top_up)
  if (guest?.provider === provider && guest.event_id === null)
    await emit(app, tx, guestFailed, { public_id: guest.public_id, wasTried })
}

/** Makes the payment a top-up of an account, for an order that waits for its money. */
export async function giveGuestPayment(tx: Tx, public_id: string, user_id: string): Promise<TopUpRow> {
  const { provider, amount, currency } = must(await queries.guestOf(tx, public_id))
  const payment = { public_id, user_id, provider, amount, currency, reference: null, for_checkout: true }
  return must(await insertTopUp(tx, payment))
}

/** Books a payment that has come before its account took it, by the event that was kept. Its row is locked by the caller's first step. */
export async function settleGuest(app: App, tx: Tx, public_id: string): Promise<void> {
  const { provider, event_id } = must(await queries.lockGuest(tx, public_id))
  const topUp = await lockTopUp(tx, must(await topUpByPublicId(tx, public_id)).id)
  const reference = await queries.adoptGuestEvent(tx, { provider, event_id: must(event_id) }, topUp.id)
  if (reference !== null) {
    await setPayment(tx, topUp.id, reference)
    await adoptEvents(tx, provider, reference, topUp.id)
  }
  await queries.deleteGuest(tx, public_id)
  await settle(app, tx, await lockTopUp(tx, topUp.id))
}

/** True while a payment waits for its event or for its account; false once it was taken, or staff have settled it by hand. */
export const guestWaits = async (db: App['db'], public_id: string): Promise<boolean> =>
  (await queries.guestOf(db, public_id)) !== undefined

export { deleteGuest, lockGuest, sweepGuests } from './guest-queries.ts'
