import { handler } from '#foundation/server/http/handler.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/webhooks/staff-contract.ts'
import { attemptsOf } from './attempt-queries.ts'
import * as endpoints from './endpoints.ts'
import { typesFor } from './judge-endpoint.ts'
import { endpointsOf } from './queries.ts'
import { attemptReplies, endpointReplies } from './replies.ts'
import { sendAgain, sendTest } from './send-now.ts'

type Call = { actor: Actor; caller: Parameters<typeof originOf>[0] }

const by = ({ actor, caller }: Call): endpoints.By => ({
  owner: null,
  person: actor.user_id,
  origin: originOf(caller),
  actor,
})

/** Answers `GET /api/staff/webhooks/`. */
export const list = handler(contract.listOperatorEndpoints, async ({ app }) => {
  const items = await endpointReplies(app.db, null, await endpointsOf(app.db, null))
  return { status: 200, body: { items, types: typesFor(app, null) } }
})

/** Answers `POST /api/staff/webhooks/`. */
export const create = handler(contract.createOperatorEndpoint, async (call) => ({
  status: 201,
  body: await endpoints.makeEndpoint(call.app, by(call), { ...call.body, host_ids: [] }),
}))

/** Answers `GET /api/staff/webhooks/{endpointId}/`. */
export const get = handler(contract.getOperatorEndpoint, async ({ app, params }) => ({
  status: 200,
  body: await endpoints.endpointReply(app.db, null, params.endpointId),
}))

/** Answers `PATCH /api/staff/webhooks/{endpointId}/`. */
export const change = handler(contract.changeOperatorEndpoint, (call) =>
  endpoints.changeEndpoint(call.app, by(call), call.params.endpointId, call.body),
)

/** Answers `DELETE /api/staff/webhooks/{endpointId}/`. */
export const remove = handler(contract.deleteOperatorEndpoint, async (call) => {
  await endpoints.deleteEndpoint(call.app, by(call), call.params.endpointId)
  return { status: 204 } as const
})

/** Answers `POST /api/staff/webhooks/{endpointId}/secret/`. */
export const secret = handler(contract.replaceOperatorSecret, async (call) => ({
  status: 200,
  body: await endpoints.replaceSecret(call.app, by(call), call.params.endpointId),
}))

/** Answers `GET /api/staff/webhooks/{endpointId}/attempts/`. */
export const attempts = handler(contract.listOperatorAttempts, async ({ app, params: { endpointId } }) => {
  await endpoints.endpointReply(app.db, null, endpointId)
  const items = await attemptReplies(app.db, null, await attemptsOf(app.db, endpointId))
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/webhooks/{endpointId}/test/`. */
export const test = handler(contract.testOperatorEndpoint, async ({ app, params }) => ({
  status: 200,
  body: await sendTest(app, null, params.endpointId),
}))

/** Answers `POST /api/staff/webhooks/{endpointId}/events/{seq}/`. */
export const again = handler(contract.sendOperatorEventAgain, async ({ app, params }) => ({
  status: 200,
  body: await sendAgain(app, null, params.endpointId, Number(params.seq)),
}))

/** Answers `POST /api/staff/webhooks/{endpointId}/replay/`. */
export const replay = handler(contract.replayOperatorEvents, async (call) => ({
  status: 200,
  body: await endpoints.replay(call.app, by(call), call.params.endpointId, new Date(call.body.from)),
}))
