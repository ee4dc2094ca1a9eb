import type { Host } from '#features/hosts/contract.ts'
import type { SuspensionReason } from '#features/hosts/rules.ts'
import { helpWithHost, hostOf, recordHost, type Helping, type HostRow } from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import * as contract from '#features/licences/contract.ts'
import { hostResumed, hostSuspended } from '#features/licences/event-contract.ts'
import { mailSuspension } from './mails.ts'
import { insertSuspension, liftSuspension } from './suspension-queries.ts'
import { askToRenewRefused } from './renewals.ts'

/** Answers `POST /api/staff/hosts/{hostId}/suspension/`. */
export const suspendHost = handler(contract.suspendHost, async ({ app, actor, caller, params, body }) => {
  const who = { actor, origin: originOf(caller) }
  return { status: 201, body: await suspend(app, who, params.hostId, body) }
})

/** Answers `DELETE /api/staff/hosts/{hostId}/suspension/`. */
export const resumeHost = handler(contract.resumeHost, async ({ app, actor, caller, params, query }) => {
  const who = { actor, origin: originOf(caller) }
  return { status: 200, body: await resume(app, who, params.hostId, query.note) }
})

type Wanted = { reason: SuspensionReason; text: string; note: string }

/** Suspends a host of anybody but oneself; its paid time runs on. Throws 404, 403 `own_account`, 409 `already_suspended`. */
export const suspend = (
  app: App,
  who: Helping,
  host_id: string,
  { reason, text, note }: Wanted,
): Promise<Host> =>
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
    recordHost(tx, hostSuspended, host)
    await recordAct(tx, who, host, { act: 'host.suspended', note, detail: { cause: reason, message: text } })
  })

/** Lifts a suspension, whoever began it. Throws 404, 403 `own_account`, 409 `not_suspended`. */
export const resume = (app: App, who: Helping, host_id: string, note: string): Promise<Host> =>
  change(app, who, host_id, async (tx, host) => {
    if (!(await liftSuspension(tx, host.id, who.actor?.user_id ?? null)))
      throw new HttpError(409, [{ code: 'not_suspended' }])
    recordHost(tx, hostResumed, host)
    await recordAct(tx, who, host, { act: 'host.resumed', note })
    await askToRenewRefused(tx, [host.id])
  })

/** Does `work` as `helpWithHost` does, and tells the owner by mail where the server may run again, or no more. */
const change = (
  app: App,
  who: Helping,
  host_id: string,
  work: (tx: Tx, host: HostRow) => Promise<void>,
): Promise<Host> =>
  helpWithHost(app, who, host_id, async (tx, host) => {
    await work(tx, host)
    await mailSuspension(app, tx, await hostOf(tx, host.user_id, host_id))
    await emit(app, tx, contract.suspensionChanged, { user_id: host.user_id })
  })

type Recorded = { act: 'host.suspended' | 'host.resumed'; note: string; detail?: Record<string, unknown> }

async function recordAct(
  tx: Tx,
  { actor, origin }: Helping,
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
