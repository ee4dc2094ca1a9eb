import { toMoney } from '#foundation/money.ts'
import { seeMoney } from '#foundation/capability.ts'
import type { Acting } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { isRepeatable, transaction, writingFor, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { paymentOf, spendArrival } from '#features/finance/server/finance.ts'
import { checkoutActs, helperOf } from './checkout-acts.ts'
import * as mails from './checkout-mails.ts'
import * as queries from './checkout-queries.ts'
import type { CheckoutRow } from './checkout-queries.ts'
import { serversIn } from './checkout-reply.ts'
import { recordCheckout } from './record-checkout.ts'
import { stopCharge } from './stop-charge-kind.ts'

/**
 * Does what a checkout is for, in the transaction that books its money. If it cannot be done any more, nothing of it is, the checkout keeps
 * the reason, and the money is booked all the same (rule 61).
 */
export async function fulfilCheckout(
  app: App,
  tx: Tx,
  { top_up, amount, isReversed }: { top_up: string; amount: bigint; isReversed: boolean },
): Promise<void> {
  const checkout = await queries.lockCheckout(tx, top_up)
  if (!checkout || !mayFollow(checkout)) return
  if (checkout.is_over) return end(app, tx, checkout, { state: 'expired', refusal: 'late', amount })
  if (isReversed) return end(app, tx, checkout, { state: 'failed', refusal: 'payment_reversed', amount })
  try {
    const host = await spendArrival(tx, () =>
      writingFor(tx, checkout.user_id, () => order(app, tx, checkout)),
    )
    await end(app, tx, checkout, { state: 'done', host: host?.public_id })
  } catch (error) {
    await end(app, tx, checkout, { state: 'failed', refusal: refusalIn(app, error), amount })
  }
}

/** True if the money that comes may do what it is for: a payment that failed may be told of before one that succeeds. */
const mayFollow = ({ state, refusal }: CheckoutRow): boolean =>
  state === 'open' || state === 'expired' || (state === 'failed' && refusal === 'payment_failed')

async function order(app: App, tx: Tx, checkout: CheckoutRow) {
  const { user_id, purpose, params, host, total, currency } = checkout
  const found = await helperStill(app, tx, checkout)
  const acting = found && spendingRest(found, checkout.counted ?? 0n)
  const ordered = { user_id, params, host, expected_total: toMoney(total, currency) }
  return checkoutActs[purpose]({ ...app, acting }, tx, ordered)
}

/** Throws 403 `not_allowed_for_role` for a helper who may not order any more, whatever took it from them. */
async function helperStill(app: App, tx: Tx, checkout: CheckoutRow) {
  try {
    return await helperOf(app, tx, checkout)
  } catch (error) {
    if (error instanceof HttpError && error.status < 500)
      throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
    throw error
  }
}

/**
 * Returns the code of a refusal. Throws on what may be over at the next try, which the sender of the event makes. A fault of ours must not
 * keep money from its balance, and stands in the log.
 */
function refusalIn(app: App, error: unknown): string {
  if (error instanceof HttpError && error.status < 500) return error.errors[0]?.code ?? 'unknown'
  if (error instanceof HttpError || isUnavailable(error) || isRepeatable(error)) throw error
  app.log.error({ err: error }, 'sales: an order failed after its payment')
  return 'server_error'
}

type End = Parameters<typeof queries.endCheckout>[2] & { amount?: bigint }

async function end(app: App, tx: Tx, checkout: CheckoutRow, { amount, ...ended }: End): Promise<void> {
  await queries.endCheckout(tx, checkout.top_up_id, ended)
  recordCheckout(app, tx, { ...checkout, state: ended.state, host: ended.host ?? checkout.host })
  if (amount === undefined || ended.refusal === undefined) return
  const paid = toMoney(amount, checkout.currency)
  const values = { ...namesOf(checkout), refusal: ended.refusal, paid }
  await mailTo(app, tx, checkout.user_id, mails.checkoutFailed, values)
}

const namesOf = ({ public_id, purpose, params: { plan_name, host_name, bulk } }: CheckoutRow) => ({
  id: public_id,
  for: purpose,
  plan: plan_name ?? null,
  host_name: host_name ?? '',
  ...(bulk && { bulk: { act: bulk.act, servers: serversIn(bulk) } }),
})

/** Mails that a bank transfer did not come in time; whoever leaves the page of a provider knows it. */
async function mailExpired(app: App, tx: Tx, row: CheckoutRow): Promise<void> {
  const { provider, amount } = await paymentOf(app, tx, row.user_id, row.public_id)
  if (provider === 'bank')
    await mailTo(app, tx, row.user_id, mails.checkoutExpired, { ...namesOf(row), due: amount })
}

/** Returns a helper whose orders count only what is more than their charge, which counts already. */
function spendingRest(acting: Acting, counted: bigint): Acting {
  let left = counted
  return {
    ...acting,
    spend(tx, amount) {
      const before = left < amount ? left : amount
      left -= before
      return acting.spend(tx, amount, before)
    },
  }
}

/** Takes a charge that moves no money off the limits of its helper. The charge of a cancelled checkout counts until this is certain. */
export async function uncount(app: App, tx: Tx, checkout: CheckoutRow): Promise<void> {
  const { counted: amount, counted_grants: grants, created_at: at } = checkout
  if (amount === null || grants === null) return
  await queries.forgetCounted(tx, checkout.top_up_id)
  await app.uncount?.(tx, { grants, amount, at })
}

/** A payment has failed: its checkout waits for nothing, until the provider says otherwise. */
export async function failCheckout(app: App, tx: Tx, { top_up }: { top_up: string }): Promise<void> {
  const checkout = await queries.lockCheckout(tx, top_up)
  if (!checkout || checkout.state === 'done') return
  await uncount(app, tx, checkout)
  if (checkout.state !== 'open' || checkout.is_over) return
  await end(app, tx, checkout, { state: 'failed', refusal: 'payment_failed' })
}

const AT_ONCE = 200
// Support can be asked for as long about an order that was not done.
const KEPT_DAYS = 90

/** Ends checkouts whose time is over, and forgets old ones. */
export async function expireCheckouts(app: App): Promise<void> {
  let ended: number
  do {
    ended = await transaction(app, 'system', async (tx) => {
      const rows = await queries.expireCheckouts(tx, AT_ONCE)
      for (const row of rows) {
        recordCheckout(app, tx, { ...row, state: 'expired' })
        await mailExpired(app, tx, row)
        stopCharge(tx, row)
      }
      // Events for several people are published in a fixed order: else two transactions could wait for each other.
      for (const user_id of [...new Set(rows.map((row) => row.user_id))].toSorted())
        await publish(tx, user_id, { type: BALANCE_CHANGED }, seeMoney)
      return rows.length
    })
  } while (ended === AT_ONCE)
  await transaction(app, 'system', (tx) => queries.sweepCheckouts(tx, KEPT_DAYS))
}
