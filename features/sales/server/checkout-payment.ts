import { beginPayment, endUncharged, topUpOf } from '#features/finance/server/finance.ts'
import { chargeSaved, usableMethod, type MethodRow } from '#features/methods/server/methods.ts'
import type { Checkout } from '#features/sales/checkouts.ts'
import type { CheckoutPurpose } from '#features/sales/rules.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { checkoutOf, type CheckoutRow } from './checkout-queries.ts'
import { checkoutReply } from './checkout-reply.ts'

type Wanted = { for: CheckoutPurpose; method?: string | undefined }

/**
 * Returns the saved method that a checkout is charged to, if it names one. Throws 404 and 409 `method_not_usable`; 403 `not_allowed_for_role` for
 * a program, which a stolen token would let spend more than the balance, and for a helper who orders nothing: no limit counts a top-up.
 */
export async function methodFor(
  app: App,
  tx: Tx,
  user_id: string,
  { for: purpose, method }: Wanted,
): Promise<MethodRow | undefined> {
  if (method === undefined) return undefined
  await assertMayCharge(app, tx, purpose)
  return usableMethod(tx, user_id, method)
}

async function assertMayCharge({ acting }: App, db: App['db'], purpose: CheckoutPurpose): Promise<void> {
  if (acting && (purpose === 'top_up' || !(await findUser(db, acting.person_id)))) throw denied()
}

const denied = () => new HttpError(403, [{ code: 'not_allowed_for_role' }])

/**
 * Throws 403 `not_allowed_for_role` for whoever may not have the saved method of a checkout charged: as at its beginning, and for a helper with a
 * limit, where no limit counts the charge, as that of the owner (decision 231).
 */
export async function assertMayContinue(app: App, checkout: CheckoutRow): Promise<void> {
  if (!app.acting) return
  const { method_id } = must(await topUpOf(app.db, checkout.user_id, checkout.public_id), 'payment')
  if (method_id === null) return
  await assertMayCharge(app, app.db, checkout.purpose)
  if (app.acting.isLimited && checkout.counted === null) throw denied()
}

/**
 * Asks the provider of a committed checkout for its page, or charges the saved method that it names (decision 191). The answer of a charge does
 * not end the checkout, its event does: a checkout whose event has come meanwhile is done. A decline of which no event will tell ends it as that
 * event would. Throws 402 `charge_declined` and 503
 * `payment_provider_unavailable`.
 */
export async function payCheckout(app: App, user_id: string, checkout: Checkout): Promise<Checkout> {
  const { id, method_id } = must(await topUpOf(app.db, user_id, checkout.id), 'payment')
  if (method_id === null) return { ...checkout, top_up: await beginPayment(app, user_id, checkout.top_up) }
  const answer = await chargeSaved(app, user_id, checkout.id, { isThere: true }).catch((error: unknown) => {
    app.log.error({ err: error }, 'sales: the provider does not say how a charge ended')
    throw new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)
  })
  if (answer.isOver) await transaction(app, 'system', (tx) => endUncharged(app, tx, id))
  if (answer.state === 'declined') throw new HttpError(402, [{ code: 'charge_declined' }])
  const now = must(await checkoutOf(app.db, user_id, checkout.id))
  const reply = await checkoutReply(app, app.db, now)
  return { ...reply, top_up: { ...reply.top_up, redirect_url: answer.url } }
}
