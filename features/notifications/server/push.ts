import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/notifications/contract.ts'
import { pushKeys } from './push-keys.ts'
import * as queries from './push-queries.ts'

/** Answers `GET /api/notifications/push/`. */
export const get = handler(contract.getPush, async ({ app, actor }) => {
  return { status: 200, body: await pushReply(app, actor.user_id) }
})

const refusals = { url: 'invalid_url', https: 'https_required', address: 'address_not_allowed' } as const

/** Answers `POST /api/notifications/push/`. The address is a stranger's: messages go there by the guarded way only (rule 26). */
export const subscribe = handler(contract.subscribePush, async ({ app, actor, body }) => {
  const { user_id, session_id } = actor
  const refused = app.config.egress.refusalOf(body.endpoint)
  if (refused) throw badRequest(refusals[refused], 'endpoint')
  const { p256dh, auth } = body.keys
  // As the system, because the browser may have been somebody else's before.
  await transaction(app, { systemFor: user_id }, (tx) =>
    queries.putSubscription(tx, { user_id, session_id, endpoint: body.endpoint, p256dh, auth }),
  )
  return { status: 200, body: await pushReply(app, user_id) }
})

/** Answers `POST /api/notifications/push/end/`. */
export const unsubscribe = handler(contract.unsubscribePush, async ({ app, actor: { user_id }, body }) => {
  await transaction(app, { userId: user_id }, (tx) => queries.deleteSubscription(tx, user_id, body.endpoint))
  return { status: 200, body: await pushReply(app, user_id) }
})

async function pushReply(app: App, user_id: string): Promise<contract.Push> {
  const { publicKey } = await pushKeys(app)
  const endpoints = (await queries.subscriptionsOf(app.db, user_id)).map(({ endpoint }) => endpoint)
  return { public_key: publicKey, endpoints }
}
