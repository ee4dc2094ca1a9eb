import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { notFound, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { randomId } from '#foundation/server/random-id.ts'
import * as contract from '#features/finance/contract.ts'
import { accept, requireTerms } from '#features/legal/server/legal.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { assertBelowCap } from './balance-cap.ts'
import { offered, providerCalled } from './providers/providers.ts'
import { makeReference } from './references.ts'
import { returnPath } from './return-path.ts'
import * as queries from './top-up-queries.ts'
import type { TopUpRow } from './top-up-queries.ts'
import { toTopUpReply } from './top-up-reply.ts'
import { assertFewWaiting, transferAnnounced } from './transfers.ts'

/**
 * Answers `POST /api/finances/top-ups/`. First the top-up is committed, then the provider is called, for nothing but SQL may happen in a
 * transaction. A client interrupted between the two repeats the request with the same key, and gets the same top-up.
 */
export const start = handler(contract.startTopUp, async (call) => {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  const reply = await withIdempotencyKey(contract.startTopUp, call, async (tx) => {
    await accept(app, tx, { user_id, caller, version: app.acting ? undefined : body.terms, context: 'order' })
    await requireTerms(app, tx, user_id)
    const { provider } = body
    const topUp = await announceTopUp(app, tx, { user_id, provider, amount: BigInt(body.amount) })
    if (topUp.provider === 'bank') await transferAnnounced(app, tx, topUp)
    await app.acting?.note(tx, 'topped_up', { amount: topUp.amount })
    return { status: 201, body: toTopUpReply(app, topUp) } as const
  })
  if (reply.status !== 201) return reply
  return { status: 201, body: await beginPayment(app, user_id, reply.body) }
})

/**
 * Returns a committed top-up with the page of its provider, which it asks for where it is not known yet. One that is charged to a saved
 * method has none: paid on a page as well, it would be paid twice.
 */
export async function beginPayment(
  app: App,
  user_id: string,
  reply: contract.TopUp,
): Promise<contract.TopUp> {
  const topUp = await queries.topUpOf(app.db, user_id, reply.id)
  if (topUp?.status !== 'pending' || topUp.method_id !== null) return reply
  return { ...reply, redirect_url: await beginOnce(app, topUp) }
}

/** Answers `GET /api/finances/top-ups/{id}/`. */
export const get = handler(contract.getTopUp, async ({ app, actor, params }) => {
  const topUp = await queries.topUpOf(app.db, actor.user_id, params.id)
  if (!topUp) throw notFound()
  return { status: 200, body: toTopUpReply(app, topUp) }
})

/**
 * Stores a top-up that a customer is about to pay. Throws 400 for a provider that is not offered and for an amount
 * that is too small or too large, 409 for too many waiting transfers.
 */
export async function announceTopUp(
  app: App,
  tx: Tx,
  {
    user_id,
    amount,
    provider,
    for_checkout = false,
    method_id = null,
  }: {
    user_id: string
    amount: bigint
    provider: ProviderName
    for_checkout?: boolean
    /** The saved method that the caller charges, after the commit. */
    method_id?: string | null
  },
): Promise<TopUpRow> {
  const { min, max } = app.config.topUp
  if (!offered(app, provider)) throw badRequest('provider_not_offered', 'provider')
  if (amount < min) throw badRequest('amount_too_small', 'amount')
  if (amount > max) throw badRequest('amount_too_large', 'amount')
  if (providerCalled(provider).canCharge?.(amount, app.config.currency) === false)
    throw badRequest('amount_too_fine', 'amount')
  await assertBelowCap(app, tx, user_id, amount, 'amount')
  if (provider === 'bank') await assertFewWaiting(tx, user_id)
  const { currency } = app.config
  for (;;) {
    const public_id = randomId()
    const reference = provider === 'bank' ? makeReference() : null
    const payment = { public_id, user_id, provider, amount, currency, reference, for_checkout, method_id }
    const row = await queries.insertTopUp(tx, payment)
    if (row) return row
  }
}

async function beginOnce(app: App, topUp: TopUpRow): Promise<string | null> {
  const back = `${app.config.publicOrigin}${PAGES_BASE}${returnPath(topUp)}`
  const redirect_url = topUp.redirect_url ?? (await providerCalled(topUp.provider).begin(app, topUp, back))
  if (redirect_url !== null && redirect_url !== topUp.redirect_url)
    await transaction(app, { userId: topUp.user_id }, (tx) => queries.setRedirect(tx, topUp.id, redirect_url))
  return redirect_url
}
