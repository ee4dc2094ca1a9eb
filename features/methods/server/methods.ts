import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { paths } from '#features/paths.ts'
import { offered, providerCalled } from '#features/finance/server/finance.ts'
import * as contract from '#features/methods/contract.ts'
import { MOST_METHODS } from '#features/methods/rules.ts'
import { isUsable } from './charge.ts'
import { removeMethod } from './changes.ts'
import { lockMethods } from './locks.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { toMethodReply } from './replies.ts'

export { CHARGE_SETTLED_S, chargePage, chargeSaved, endCharge, isUsable } from './charge.ts'
export { methodWithId, type MethodRow } from './queries.ts'
export { toMethodReply } from './replies.ts'

/** @public Returns a customer's method that may be charged. Throws 404 `not_found` for another, and 409 `method_not_usable`. */
export async function usableMethod(tx: Tx, user_id: string, public_id: string): Promise<MethodRow> {
  const method = await queries.methodOf(tx, user_id, public_id)
  if (!method || method.state === 'pending' || method.state === 'removed') throw notFound()
  if (!isUsable(method)) throw new HttpError(409, [{ code: 'method_not_usable' }])
  return method
}

/** @public Returns the default method of a customer if it may be charged. */
export async function defaultMethod(db: App['db'], user_id: string): Promise<MethodRow | undefined> {
  const [first] = await queries.methodsOf(db, user_id)
  return first?.is_default && isUsable(first) ? first : undefined
}

/** @public Returns a method by its id, in whatever state; undefined once it is swept away. */
export const methodNow = (db: App['db'], id: string): Promise<MethodRow | undefined> =>
  queries.methodWithId(db, id)

/** Answers `GET /api/finances/methods/`. */
export const list = handler(contract.listMethods, async ({ app, actor }) => {
  const rows = await queries.methodsOf(app.db, actor.user_id)
  const offers = app.config.payments.flatMap((provider) =>
    (providerCalled(provider).methodKinds?.(app) ?? []).map((kind) => ({ provider, kind })),
  )
  return { status: 200, body: { items: rows.map(toMethodReply), offered: offers } }
})

/**
 * Answers `POST /api/finances/methods/saving/`. As with a top-up, the method is a committed row before its provider is asked, and a repeated request
 * gets the same page.
 */
export const save = handler(contract.saveMethod, async (call) => {
  const { app, actor, body, caller } = call
  const { user_id } = actor
  const { provider, kind } = body
  if (!offered(app, provider)?.methodKinds?.(app).includes(kind))
    throw badRequest('provider_not_offered', 'provider')
  const reply = await withIdempotencyKey(contract.saveMethod, call, async (tx) => {
    const public_id = await beginMethod(tx, { user_id, provider, kind })
    await recordAction(tx, {
      user_id,
      act: 'methods.begun',
      ...originOf(caller),
      detail: { provider, kind },
    })
    return { status: 201, body: { id: public_id, redirect_url: '' } } as const
  })
  const { id } = reply.body
  return { status: 201, body: { id, redirect_url: await pageFor(app, user_id, id) } }
})

/** Stores a method that is about to be saved, and returns its public id. Throws 409 `too_many_methods`. */
export async function beginMethod(
  tx: Tx,
  { user_id, provider, kind }: Pick<MethodRow, 'user_id' | 'provider' | 'kind'>,
): Promise<string> {
  await lockMethods(tx, user_id)
  const { saved, begun } = await queries.countMethods(tx, user_id)
  if (saved >= MOST_METHODS || begun >= MOST_METHODS) throw new HttpError(409, [{ code: 'too_many_methods' }])
  const public_id = randomId()
  await queries.insertMethod(tx, { public_id, user_id, provider, kind })
  return public_id
}

async function pageFor(app: App, user_id: string, public_id: string): Promise<string> {
  const { id, provider, kind, redirect_url } = must(await queries.methodOf(app.db, user_id, public_id))
  if (redirect_url !== null) return redirect_url
  const back = `${app.config.publicOrigin}${PAGES_BASE}${paths.finances({ method: public_id })}`
  const locale = (await findUser(app.db, user_id))?.locale ?? 'en'
  const page = await must(providerCalled(provider).saveMethod)(app, { id: public_id, kind, locale }, back)
  await transaction(app, { userId: user_id }, (tx) => queries.setPage(tx, id, page))
  return page
}

/** Answers `POST /api/finances/methods/{methodId}/default/`. */
export const setDefault = handler(contract.makeMethodDefault, ({ app, actor, params }) =>
  transaction(app, { userId: actor.user_id }, async (tx) => {
    await lockMethods(tx, actor.user_id)
    const method = await usableMethod(tx, actor.user_id, params.methodId)
    await queries.setDefault(tx, method)
    return { status: 200, body: toMethodReply({ ...method, is_default: true }) } as const
  }),
)

/** Answers `DELETE /api/finances/methods/{methodId}/`. */
export const remove = handler(contract.removeMethod, ({ app, actor, caller, params }) =>
  transaction(app, { userId: actor.user_id }, async (tx) => {
    const { user_id } = actor
    const method = await queries.methodOf(tx, user_id, params.methodId)
    if (!method || method.state === 'removed') throw notFound()
    await removeMethod(app, tx, method)
    const { provider, kind } = method
    await recordAction(tx, {
      user_id,
      act: 'methods.removed',
      ...originOf(caller),
      detail: { provider, kind },
    })
    return { status: 204 } as const
  }),
)
