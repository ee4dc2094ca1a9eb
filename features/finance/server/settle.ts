import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { paymentArriving } from '#features/finance/contract.ts'
import type { Description } from '#features/finance/rules.ts'
import { openAllocations, type OpenAllocation } from './allocation-queries.ts'
import { bookFor } from './arrivals.ts'
import { balanceOf } from './balance.ts'
import * as queries from './event-queries.ts'
import type { PaymentEvent } from './event-queries.ts'
import { failPayment } from './fail-payment.ts'
import { post, type Posted } from './ledger.ts'
import { paymentPulledBack, paymentReceived, notifyCustomer } from './mails.ts'
import { providerCalled } from './providers/providers.ts'
import { recordTopUp } from './record-events.ts'
import { isUnderWay } from './refunds-by-hand.ts'
import { setStatus, type TopUpRow } from './top-up-queries.ts'
import { closeUnbooked, keepUnbooked, settleUnbooked } from './unbooked-events.ts'
import { closeReturned } from './unbooked-queries.ts'

/**
 * Posts what the events of a top-up require, as far as possible: a chargeback waits for its payment, and a
 * reinstated payment for its chargeback, in whatever order they came. The caller has locked the top-up.
 */
export async function settle(app: App, tx: Tx, topUp: TopUpRow): Promise<void> {
  for (let open = await queries.openEvents(tx, topUp.id); ;) {
    for (const event of open) await settlements[event.kind](app, tx, topUp, event)
    const left = await queries.openEvents(tx, topUp.id)
    if (left.length === open.length)
      for (const event of left) await keepUnbooked(tx, event, 'waits', { topUp })
    if (left.length === 0 || left.length === open.length) return
    open = left
  }
}

type Settlement = (app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent) => Promise<void>

const settlements: Record<PaymentEvent['kind'], Settlement> = {
  paid: settlePayment,
  failed: settleFailure,
  charged_back: settleChargeBack,
  reinstated: settleReinstatement,
}

async function settlePayment(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (isForeign(app, topUp, event)) return settleUnbooked(tx, event, 'other_currency', { topUp })
  if (await queries.isPaid(tx, topUp.id))
    return isOther(topUp.payment_reference, event.payment_reference)
      ? settleUnbooked(tx, event, 'paid_twice', { topUp })
      : queries.settleEvent(tx, event, [])
  if (isOtherAmount(topUp, event)) return settleUnbooked(tx, event, 'other_amount', { topUp })
  const amount = event.amount ?? topUp.amount
  const { user_id } = topUp
  const posted = await book(app, tx, topUp, amount)
  await queries.settleEvent(tx, event, [posted.transaction_id])
  await closeUnbooked(tx, event)
  await setStatus(tx, topUp.id, 'paid')
  recordTopUp(app, tx, topUp, 'paid')
  await keepIfClosed(tx, event, topUp, amount)
  // An order that waited for the money has spent it.
  const balance = topUp.for_checkout ? await balanceOf(app, tx, user_id) : posted.balance_after
  await notifyCustomer(app, tx, user_id, paymentReceived, { amount, balance })
}

/** Books the money of a payment, and before it whatever waits for the money (decision 187). */
async function book(app: App, tx: Tx, topUp: TopUpRow, amount: bigint): Promise<Posted> {
  const { id, user_id, provider, for_checkout, public_id: top_up } = topUp
  const description = { code: 'top_up', params: { provider } } as const
  const movement = { type: 'fill_balance', user_id, amount, provider, description } as const
  if (!for_checkout) return post(app, tx, movement)
  const isReversed = (await queries.openEvents(tx, id)).some(({ kind }) => kind === 'charged_back')
  return bookFor(
    tx,
    { user_id, amount },
    () => post(app, tx, movement),
    () => emit(app, tx, paymentArriving, { user_id, top_up, amount, isReversed }),
  )
}

async function settleFailure(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (!(await queries.isPaid(tx, topUp.id))) await failPayment(app, tx, topUp)
  await queries.settleEvent(tx, event, [])
}

async function settleChargeBack(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (isForeign(app, topUp, event)) return settleUnbooked(tx, event, 'other_currency', { topUp })
  if (!(await queries.isPaid(tx, topUp.id))) return
  const { provider } = topUp
  const params = { provider, ...(event.reason ? { reason: event.reason } : {}) }
  const pieces = await openAllocations(tx, topUp.id, 'fill_balance')
  const taken = await reverse(app, tx, topUp, event, pieces, {
    type: 'charge_back',
    description: { code: 'charge_back', params },
  })
  await settleReversal(tx, topUp, event, taken)
  if (!taken.last) return
  if ((await openAllocations(tx, topUp.id, 'fill_balance')).length === 0)
    await setStatus(tx, topUp.id, 'charged_back')
  const { amount, last } = taken
  await notifyCustomer(app, tx, topUp.user_id, paymentPulledBack, { amount, balance: last.balance_after })
}

/** Returns what the same dispute or refund took, and never what another one did (rule 61). */
async function settleReinstatement(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (isForeign(app, topUp, event)) return settleUnbooked(tx, event, 'other_currency', { topUp })
  const taken_by = event.taken_by ?? null
  const { taken, returned } = await queries.takings(tx, topUp.id, taken_by)
  if (!taken) return
  // A refund that failed is told by several events.
  if (returned && taken_by !== null) return queries.settleEvent(tx, event, [])
  const pieces = await openAllocations(tx, topUp.id, 'charge_back', taken_by)
  const description = { code: 'charge_back_reversed', params: { provider: topUp.provider } } as const
  const given = await reverse(app, tx, topUp, event, pieces, { type: 'fill_balance', description })
  await settleReversal(tx, topUp, event, given)
  if (!given.last) return
  await setStatus(tx, topUp.id, 'paid')
  const { amount, last } = given
  await keepIfClosed(tx, event, topUp, amount)
  await notifyCustomer(app, tx, topUp.user_id, paymentReceived, { amount, balance: last.balance_after })
}

/** Money that comes to a deleted account is paid back by a person, or it would be lost without anybody's act (rule 61). */
async function keepIfClosed(tx: Tx, event: PaymentEvent, topUp: TopUpRow, amount: bigint): Promise<void> {
  const owner = await findUser(tx, topUp.user_id)
  if (!owner?.is_active) await keepUnbooked(tx, { ...event, amount }, 'account_closed', { topUp })
}

type Reversal = { transaction_ids: string[]; last: Posted | undefined; amount: bigint; excess: bigint }

/**
 * Settles an event with what it has reversed; the rest of its amount goes to the list of staff. A dispute that returns what it had not found
 * takes its own line off the list instead.
 */
async function settleReversal(
  tx: Tx,
  topUp: TopUpRow,
  event: PaymentEvent,
  reversal: Reversal,
): Promise<void> {
  await queries.settleEvent(tx, event, reversal.transaction_ids)
  await closeUnbooked(tx, event)
  const beyond = isUnderWay(tx, event) ? 'refund_under_way' : 'more_than_left'
  const cause = event.kind === 'charged_back' ? beyond : 'more_than_taken'
  const { excess: amount } = reversal
  if (event.kind === 'reinstated' && (await closeReturned(tx, topUp.id, { ...event, amount }))) return
  if (reversal.excess > 0n) await keepUnbooked(tx, { ...event, amount: reversal.excess }, cause, { topUp })
}

/**
 * Reverses what is left of earlier transactions, oldest first, until the event's amount is reached: never
 * more than is left, whatever a provider sends. Each reversed transaction gets one transaction. `excess` is the part of the amount that
 * was not there.
 */
async function reverse(
  app: App,
  tx: Tx,
  { user_id, provider }: TopUpRow,
  event: PaymentEvent,
  pieces: readonly OpenAllocation[],
  booking: { type: 'charge_back' | 'fill_balance'; description: Description },
): Promise<Reversal> {
  const wanted = event.amount ?? pieces.reduce((sum, { left }) => sum + left, 0n)
  const transaction_ids: string[] = []
  let last: Posted | undefined
  let amount = 0n
  for (const piece of pieces) {
    const rest = wanted - amount
    const part = piece.left < rest ? piece.left : rest
    if (part <= 0n) break
    last = await post(app, tx, { ...booking, user_id, provider, amount: part, reverses: piece.id })
    transaction_ids.push(last.transaction_id)
    amount += part
  }
  return { transaction_ids, last, amount, excess: wanted - amount }
}

/** True if the money is in another currency than the top-up or the installation. */
const isForeign = (app: App, { currency }: TopUpRow, event: PaymentEvent): boolean =>
  (event.currency !== null && event.currency !== currency) || currency !== app.config.currency

const isOther = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other

/**
 * True if another amount is said to have come than the provider was asked for, where it cannot be: a transfer may differ, and so may a payment
 * that orders nothing. A person sees it (rule 52).
 */
const isOtherAmount = (topUp: TopUpRow, { amount }: PaymentEvent): boolean =>
  amount !== null &&
  amount !== topUp.amount &&
  (providerCalled(topUp.provider).fixesAmount === true || (topUp.for_checkout && topUp.provider !== 'bank'))
