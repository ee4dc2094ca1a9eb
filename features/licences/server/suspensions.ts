import { assertOther } from '#features/finance/server/finance.ts'
import type { Host } from '#features/hosts/contract.ts'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import {
  hostOf,
  hostReply,
  lockHost,
  ownerOfHost,
  publishHostChanged,
  type HostRow,
} from '#features/hosts/server/hosts.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/licences/contract.ts'
import { mailSuspension } from './suspension-notices.ts'
import { insertSuspension, liftSuspension } from './suspension-queries.ts'
import { askToRenewRefused } from './renewal-schedule.ts'

/** A member of staff, or the command line. Its user has access to the whole database anyway, and may suspend any host. */
type Who = { actor: Actor; origin: ReturnType<typeof originOf> } | { actor?: undefined; origin?: undefined }

/** Answers `POST /api/staff/hosts/{hostId}/suspension/`. */
export const suspendHost = handler(contract.suspendHost, async ({ app, actor, caller, params, body }) => {
  const who = { actor, origin: originOf(caller) }
  return { status: 201, body: await suspend(app, who, params.hostId, body) }
})

/** Answers `DELETE /api/staff/hosts/{hostId}/suspension/`. */
export const resumeHost = handler(contract.resumeHost, async ({ app, actor, caller, params, body }) => {
  const who = { actor, origin: originOf(caller) }
  return { status: 200, body: await resume(app, who, params.hostId, body.note) }
})

type Wanted = { reason: SuspensionReason; text: string; note: string }

/** Suspends a host of anybody but oneself; its paid time runs on. Throws 404, 403 `own_account`, 409 `already_suspended`. */
export const suspend = (app: App, who: Who, host_id: string, { reason, text, note }: Wanted): Promise<Host> =>
  change(app, who, host_id, async (tx, host) => {
    const suspension = {
      host_id: host.id,
      user_id: host.user_id,
      reason,
      text_public: text,
      text_internal: note,
      suspended_by: who.actor?.user_id ?? null,
    }
    if (!(await insertSuspension(tx, suspension))) throw new HttpError(409, [{ code: 'already_suspended' }])
    await recordAct(tx, who, host, { act: 'host.suspended', note, detail: { cause: reason, message: text } })
  })

/** Lifts a suspension, whoever began it. Throws 404, 403 `own_account`, 409 `not_suspended`. */
export const resume = (app: App, who: Who, host_id: string, note: string): Promise<Host> =>
  change(app, who, host_id, async (tx, host) => {
    if (!(await liftSuspension(tx, host.id, who.actor?.user_id ?? null)))
      throw new HttpError(409, [{ code: 'not_suspended' }])
    await recordAct(tx, who, host, { act: 'host.resumed', note })
    await askToRenewRefused(tx, [host.id])
  })

async function change(
  app: App,
  { actor }: Who,
  host_id: string,
  work: (tx: Tx, host: HostRow) => Promise<void>,
): Promise<Host> {
  return transaction(app, 'system', async (tx) => {
    const owner = await ownerOfHost(tx, host_id)
    if (!owner) throw notFound()
    if (actor) await assertOther(tx, actor, owner.user_id)
    const host = await lockHost(tx, owner.user_id, host_id)
    await work(tx, host)
    const changed = await hostOf(tx, host.user_id, host_id)
    await mailSuspension(app, tx, changed)
    await publishHostChanged(tx, host.user_id, host_id)
    await publish(tx, host.user_id, { type: ACTIVITY_ADDED })
    await emit(app, tx, contract.suspensionChanged, { user_id: host.user_id })
    return hostReply(changed)
  })
}

type Recorded = { act: 'host.suspended' | 'host.resumed'; note: string; detail?: Record<string, unknown> }

async function recordAct(
  tx: Tx,
  { actor, origin }: Who,
  { user_id, public_id, name }: HostRow,
  { act, note, detail }: Recorded,
): Promise<void> {
  const by = actor?.user_id ?? 'command line'
  await recordAction(tx, {
    user_id,
    act,
    ...origin,
    detail: { by, reason: note, host_id: public_id, host: name, ...detail },
  })
}
