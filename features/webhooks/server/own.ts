import { handler } from '#foundation/server/http/handler.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/webhooks/contract.ts'
import { attemptsOf } from './attempt-queries.ts'
import * as endpoints from './endpoints.ts'
import { typesFor } from './judge-endpoint.ts'
import { endpointsOf } from './queries.ts'
import { attemptReplies, endpointReplies } from './replies.ts'
import { sendAgain, sendTest } from './send-now.ts'

type Call = { actor: Actor; caller: Parameters<typeof originOf>[0] }

const by = ({ actor, caller }: Call): endpoints.By => ({
  owner: actor.user_id,
  person: actor.user_id,
  origin: originOf(caller),
  actor,
})

/** Answers `GET /api/webhooks/`. */
export const list = handler(contract.listEndpoints, async ({ app, actor: { user_id } }) => {
  const items = await endpointReplies(app.db, user_id, await endpointsOf(app.db, user_id))
  return { status: 200, body: { items, types: typesFor(app, user_id) } }
})

/** Answers `POST /api/webhooks/`. */
export const create = handler(contract.createEndpoint, async (call) => ({
  status: 201,
  body: await endpoints.makeEndpoint(call.app, by(call), call.body),
}))

/** Answers `GET /api/webhooks/{endpointId}/`. */
export const get = handler(contract.getEndpoint, async ({ app, actor: { user_id }, params }) => ({
  status: 200,
  body: await endpoints.endpointReply(app.db, user_id, params.endpointId),
}))

/** Answers `PATCH /api/webhooks/{endpointId}/`. */
export const change = handler(contract.changeEndpoint, (call) =>
  endpoints.changeEndpoint(call.app, by(call), call.params.endpointId, call.body),
)

/** Answers `DELETE /api/webhooks/{endpointId}/`. */
export const remove = handler(contract.deleteEndpoint, async (call) => {
  await endpoints.deleteEndpoint(call.app, by(call), call.params.endpointId)
  return { status: 204 } as const
})

/** Answers `POST /api/webhooks/{endpointId}/secret/`. */
export const secret = handler(contract.replaceSecret, async (call) => ({
  status: 200,
  body: await endpoints.replaceSecret(call.app, by(call), call.params.endpointId),
}))

/** Answers `GET /api/webhooks/{endpointId}/attempts/`. */
export const attempts = handler(
  contract.listAttempts,
  async ({ app, actor: { user_id }, params: { endpointId } }) => {
    await endpoints.endpointReply(app.db, user_id, endpointId)
    const items = await attemptReplies(app.db, user_id, await attemptsOf(app.db, endpointId))
    return { status: 200, body: { items } }
  },
)

/** Answers `POST /api/webhooks/{endpointId}/test/`. */
export const test = handler(contract.testEndpoint, async ({ app, actor: { user_id }, params }) => ({
  status: 200,
  body: await sendTest(app, user_id, params.endpointId),
}))

/** Answers `POST /api/webhooks/{endpointId}/events/{seq}/`. */
export const again = handler(contract.sendEventAgain, async ({ app, actor: { user_id }, params }) => ({
  status: 200,
  body: await sendAgain(app, user_id, params.endpointId, Number(params.seq)),
}))

/** Answers `POST /api/webhooks/{endpointId}/replay/`. */
export const replay = handler(contract.replayEvents, async (call) => ({
  status: 200,
  body: await endpoints.replay(call.app, by(call), call.params.endpointId, new Date(call.body.from)),
}))
