import type { ReplyOf } from '#foundation/contract.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import { devicesOf, endSession } from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'

export const listDevices = handler(contract.listDevices, async ({ app, actor }) => {
  const devices = await transaction(app, { userId: actor.user_id }, (tx) => devicesOf(app, tx, actor.user_id))
  return listed(devices, actor.session_id)
})

/**
 * Signs devices out. One id that is unknown, or another user's, refuses the whole call with the same answer, so that an id reveals nothing.
 */
export const endDevices = handler(contract.endDevices, async ({ app, caller, actor, body }) => {
  const { user_id, session_id } = actor
  const ids = body.sessions.map(idOf)
  return transaction(app, { userId: user_id }, async (tx) => {
    const before = await devicesOf(app, tx, user_id)
    const own = new Set(before.map((device) => device.id))
    if (!ids.every((id) => own.has(id))) throw badRequest('invalid_choice', 'sessions')
    const ended = new Set(ids)
    for (const id of ended) await endSession(tx, { session_id: id, user_id })
    const { ip, user_agent } = caller
    await recordAction(tx, {
      user_id,
      act: 'session.ended',
      ip,
      user_agent,
      detail: { sessions: [...ended].map(String) },
    })
    if (ended.has(session_id)) return { status: 401, body: unauthenticatedReply(app) }
    return listed(
      before.filter((device) => !ended.has(device.id)),
      session_id,
    )
  })
})

type Rows = Awaited<ReturnType<typeof devicesOf>>

function listed(devices: Rows, current: bigint): ReplyOf<typeof contract.listDevices> & { status: 200 } {
  const data = devices.map(({ id, ip, user_agent, created_at, written_at }) => ({
    id: Number(id),
    ip,
    user_agent,
    created_at: created_at.getTime() / 1000,
    last_seen_at: written_at.getTime() / 1000,
    is_current: id === current,
  }))
  return { status: 200, body: { status: 200, data } }
}

/** Reads an id that is a number or a text of digits. Throws 400 `invalid_pk_value`. */
function idOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return BigInt(value)
  throw badRequest('invalid_pk_value', 'sessions')
}
