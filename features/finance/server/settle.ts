import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Description } from '#features/finance/rules.ts'
import * as queries from './event-queries.ts'
import type { PaymentEvent } from './event-queries.ts'
import { post, type Posted } from './ledger.ts'
import { paymentPulledBack, paymentReceived } from './mail-templates.ts'
import { notifyCustomer } from './notify-customer.ts'
import { setStatus, type TopUpRow } from './top-up-queries.ts'

/**
 * Posts what the events of a top-up require, as far as possible: a chargeback waits for its payment, and a
 * reinstated payment for its chargeback, in whatever order they came. The caller has locked the top-up.
 */
export async function settle(app: App, tx: Tx, topUp: TopUpRow): Promise<void> {
  for (let open = await queries.openEvents(tx, topUp.id); ;) {
    for (const event of open) await settlements[event.kind](app, tx, topUp, event)
    const left = await queries.openEvents(tx, topUp.id)
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
  const foreign = isForeign(app, topUp, event)
  if (foreign || (await queries.isPaid(tx, topUp.id))) return queries.settleEvent(tx, event, null)
  const amount = event.amount ?? topUp.amount
  const { user_id, provider } = topUp
  const description = { code: 'top_up', params: { provider } } as const
  const posted = await post(app, tx, { type: 'fill_balance', user_id, amount, provider, description })
  await queries.settleEvent(tx, event, posted.transaction_id)
  await setStatus(tx, topUp.id, 'paid')
  await notifyCustomer(app, tx, user_id, paymentReceived, { amount, balance: posted.balance_after })
}

async function settleFailure(_app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (!(await queries.isPaid(tx, topUp.id))) await setStatus(tx, topUp.id, 'failed')
  await queries.settleEvent(tx, event, null)
}

async function settleChargeBack(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (isForeign(app, topUp, event)) return queries.settleEvent(tx, event, null)
  if (!(await queries.isPaid(tx, topUp.id))) return
  const { provider } = topUp
  const params = { provider, ...(event.reason ? { reason: event.reason } : {}) }
  const taken = await reverse(app, tx, topUp, event, {
    type: 'charge_back',
    description: { code: 'charge_back', params },
  })
  await queries.settleEvent(tx, event, taken?.transaction_id ?? null)
  if (!taken) return
  if ((await queries.openAllocations(tx, topUp.id, 'fill_balance')).length === 0)
    await setStatus(tx, topUp.id, 'charged_back')
  const { amount, balance_after: balance } = taken
  await notifyCustomer(app, tx, topUp.user_id, paymentPulledBack, { amount, balance })
}

async function settleReinstatement(app: App, tx: Tx, topUp: TopUpRow, event: PaymentEvent): Promise<void> {
  if (isForeign(app, topUp, event)) return queries.settleEvent(tx, event, null)
  const description = { code: 'charge_back_reversed', params: { provider: topUp.provider } } as const
  const given = await reverse(app, tx, topUp, event, { type: 'fill_balance', description })
  if (!given) return
  await queries.settleEvent(tx, event, given.transaction_id)
  await setStatus(tx, topUp.id, 'paid')
  const { amount, balance_after: balance } = given
  await notifyCustomer(app, tx, topUp.user_id, paymentReceived, { amount, balance })
}

/**
 * Reverses what is left of earlier transactions, oldest first, until the event's amount is reached: never
 * more than is left, whatever a provider sends. Each reversed transaction gets one transaction. Returns the id of the first, the
 * balance after the last, and the amount of all; undefined if nothing was left.
 */
async function reverse(
  app: App,
  tx: Tx,
  { id, user_id, provider }: TopUpRow,
  event: PaymentEvent,
  booking: { type: 'charge_back' | 'fill_balance'; description: Description },
): Promise<(Posted & { amount: bigint }) | undefined> {
  const pieces = await queries.openAllocations(
    tx,
    id,
    booking.type === 'charge_back' ? 'fill_balance' : 'charge_back',
  )
  let wanted = event.amount ?? pieces.reduce((sum, { left }) => sum + left, 0n)
  let first: Posted | undefined
  let last: Posted | undefined
  let amount = 0n
  for (const piece of pieces) {
    const part = piece.left < wanted ? piece.left : wanted
    if (part <= 0n) break
    last = await post(app, tx, { ...booking, user_id, provider, amount: part, reverses: piece.id })
    first ??= last
    wanted -= part
    amount += part
  }
  if (wanted > 0n)
    app.log.error({ event_id: event.event_id, provider }, 'finance: more is taken back than was there')
  return first && last && { transaction_id: first.transaction_id, balance_after: last.balance_after, amount }
}

/** True if the money is in another currency than the top-up or the installation. It is logged, for a person to book by hand. */
function isForeign(app: App, { currency, provider }: TopUpRow, event: PaymentEvent): boolean {
  const foreign = (event.currency !== null && event.currency !== currency) || currency !== app.config.currency
  if (foreign) app.log.error({ event_id: event.event_id, provider }, 'finance: an event in another currency')
  return foreign
}
